-- Columns of types that are cast to one another where they are compared.
CREATE TABLE x (
    id INT PRIMARY KEY, i INT, b BIGINT, d DOUBLE, e DOUBLE, f FLOAT, m DECIMAL(8,2), n DECIMAL(8,1), k DECIMAL(4,0),
    s STRING, code CHAR(5), day DATE
);
CREATE TABLE named (name STRING PRIMARY KEY, i INT);
CREATE TABLE numbered (number BIGINT PRIMARY KEY, i INT);
CREATE TABLE measured (size DOUBLE PRIMARY KEY, i INT)
