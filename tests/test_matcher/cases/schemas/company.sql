-- Departments and their employees; every employee has a department, a department may have none.
CREATE TABLE dept (deptno INT PRIMARY KEY, dname STRING NOT NULL, city STRING, budget INT);
CREATE TABLE emp (
    empno INT PRIMARY KEY, ename STRING, deptno INT NOT NULL REFERENCES dept (deptno), sal INT, comm INT,
    rate DOUBLE, pay DECIMAL(8,2), hired DATE, active BOOLEAN
);
-- Without a key: rows may be there twice.
CREATE TABLE sale (item STRING, deptno INT, empno INT, qty INT, price INT, day DATE, weight DOUBLE);
CREATE TABLE bonus (empno INT, amount INT)
