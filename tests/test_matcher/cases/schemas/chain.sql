-- a refers to b, b to c; a's own reference to c may be NULL.
CREATE TABLE c (id INT PRIMARY KEY, z INT);
CREATE TABLE b (id INT PRIMARY KEY, cid INT NOT NULL REFERENCES c (id), y INT);
CREATE TABLE a (
    id INT PRIMARY KEY, bid INT NOT NULL, cid INT, x INT,
    FOREIGN KEY (bid) REFERENCES b (id), FOREIGN KEY (cid) REFERENCES c (id)
)
