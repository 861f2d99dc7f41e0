-- UNIQUE with and without NOT NULL, and keys of two columns.
CREATE TABLE part (code INT UNIQUE, serial INT NOT NULL UNIQUE, size INT, color STRING);
CREATE TABLE two (a INT, b INT, x INT, y INT, PRIMARY KEY (a, b));
CREATE TABLE ref (a INT NOT NULL, b INT NOT NULL, z INT, FOREIGN KEY (a, b) REFERENCES two (a, b))
