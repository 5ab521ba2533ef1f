CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT NOT NULL, n INT CHECK (n >= 0), x REAL DEFAULT 1.5, UNIQUE(name, n));
CREATE TABLE log(what, at);
CREATE INDEX by_n ON t(n DESC, x) WHERE n > 3;
CREATE VIEW v AS SELECT name, count(*) AS c, sum(n) AS s FROM t GROUP BY name HAVING c > 1;
CREATE TRIGGER after_insert AFTER INSERT ON t WHEN new.n > 40 BEGIN INSERT INTO log VALUES('big', new.id); END;
BEGIN;
WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 60)
  INSERT INTO t(name, n, x) SELECT 'name' || (i % 9), i, i * 1.25 FROM c;
SAVEPOINT s;
DELETE FROM t WHERE n % 7 = 0;
ROLLBACK TO s;
UPDATE t SET x = x + n, name = upper(name) WHERE id BETWEEN 10 AND 20 OR name LIKE '%5';
INSERT OR REPLACE INTO t(id, name, n) VALUES(5, 'five', 5), (500, 'hundred', 50);
INSERT INTO t(name, n) VALUES('five', 5) ON CONFLICT DO UPDATE SET x = excluded.n;
COMMIT;
SELECT * FROM v ORDER BY s DESC LIMIT 3 OFFSET 1;
SELECT a.name, b.n FROM t a JOIN t b ON a.n = b.id LEFT JOIN log ON log.at = a.id WHERE a.n < 9 ORDER BY 2, 1;
SELECT name, n, row_number() OVER w, sum(n) OVER w, lag(n, 1) OVER w, ntile(3) OVER w, rank() OVER w FROM t
  WINDOW w AS (PARTITION BY name ORDER BY n ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) LIMIT 15;
SELECT CASE WHEN n IN (1, 2, 3) THEN 'low' WHEN n IS NULL THEN 'none' ELSE cast(n AS TEXT) END, coalesce(NULL, x), typeof(x)
  FROM t WHERE EXISTS (SELECT 1 FROM log WHERE at = t.id) OR n > (SELECT avg(n) FROM t);
SELECT substr('abcdef', 2, 3), replace('aXa', 'X', 'y'), trim('  t '), hex(zeroblob(3)), instr('hello', 'l'), printf('%05d|%.2f|%s|%Q', 7, 3.14159, 'x', 'it''s');
SELECT date('2020-02-29', '+1 year'), strftime('%Y-%m-%d %H:%M', 0, 'unixepoch'), julianday('2000-01-01'), abs(-5), round(2.567, 1), random() IS NOT NULL;
SELECT json_extract('{"a":[1,2,{"b":null}]}', '$.a[2]'), json_array(1, 'x', 2.5), json_object('k', json('[1]')), json_valid('{');
SELECT key, value, type FROM json_each('{"a":1,"b":[true,false],"c":"s"}');
SELECT group_concat(DISTINCT name), max(n), min(x), total(n) FROM t;
SELECT n FROM t WHERE n < 5 UNION SELECT id FROM t WHERE id > 55 INTERSECT SELECT n FROM t EXCEPT SELECT 58;
SELECT 'A' < 'b' COLLATE NOCASE, 'a' GLOB '[a-c]', 7 / 2, 7 % 3, 5 & 3, 5 | 3, ~5, 1 << 4, 'x' || 1, -2 * 3.5, 9223372036854775807 + 1;
CREATE VIRTUAL TABLE docs USING fts5(title, body);
INSERT INTO docs VALUES('one', 'the quick brown fox'), ('two', 'jumps over the lazy dog'), ('three', 'quick quick slow');
SELECT title, snippet(docs, 1, '<', '>', '..', 5), bm25(docs) FROM docs WHERE docs MATCH 'quick NOT slow' ORDER BY rank;
DELETE FROM docs WHERE title = 'two';
EXPLAIN QUERY PLAN SELECT * FROM t WHERE n > 5 AND name = 'x' ORDER BY x;
ALTER TABLE t ADD COLUMN extra DEFAULT 'e';
ALTER TABLE log RENAME COLUMN what TO kind;
PRAGMA integrity_check;
ANALYZE;
PRAGMA table_info(t);
PRAGMA foreign_keys = ON;
CREATE TABLE parent(id PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE child(p REFERENCES parent(id) ON DELETE CASCADE);
INSERT INTO parent VALUES(1), (2);
INSERT INTO child VALUES(1), (1), (2);
DELETE FROM parent WHERE id = 1;
SELECT count(*) FROM child;
VACUUM;
DROP TRIGGER after_insert;
REINDEX;
DROP TABLE log;
.mode column
.headers on
SELECT id, name FROM t LIMIT 4;
.mode json
SELECT id, name FROM t LIMIT 2;
.mode quote
SELECT name, x FROM t LIMIT 2;
.schema t
.dump child
