-- Section 1: Q2 groups the cars that Q1 keeps track of.
-- schema: rooms
-- v: match
CREATE VIEW v AS SELECT CarID, CarType FROM R(S1) EXCEPT SELECT CarID, CarType FROM R(S2);
SELECT CarType, count(*) AS n FROM (SELECT CarID, CarType FROM R(S1) EXCEPT SELECT CarID, CarType FROM R(S2)) q GROUP BY CarType
