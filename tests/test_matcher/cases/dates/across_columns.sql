-- Two dates compared.
-- v: match
CREATE VIEW v AS SELECT e.ename, s.item, e.hired, s.day FROM emp e JOIN sale s ON e.hired <= s.day;
SELECT e.ename, s.item FROM emp e, sale s WHERE e.hired < s.day
