-- Example 6: groups over a window.
-- schema: rooms
-- v: match
CREATE VIEW v AS SELECT CarID, CarType FROM R(S1) WHERE Now - 5 < TS AND TS <= Now;
SELECT CarType, count(*) AS n FROM R(S1) WHERE Now - 5 < TS AND TS <= Now GROUP BY CarType
