-- Five questions about many packages, for SQLite and PostgreSQL.

-- 1. In how many packages is each function inlined, and not only in its own?
SELECT f.name, COUNT(DISTINCT p.package) AS packages, COUNT(*) AS copies
FROM functions f
JOIN instances i ON i.file = f.file AND i.function = f.id
JOIN paths p ON p.file = f.file
WHERE i.inlined AND NOT i.part
GROUP BY f.name ORDER BY packages DESC, copies DESC LIMIT 20;

-- 2. Which packages contain code of zlib's inflate_table(), though no symbol is left?
SELECT p.package, p.path, COUNT(*) AS copies
FROM functions f
JOIN instances i ON i.file = f.file AND i.function = f.id
JOIN paths p ON p.file = f.file
WHERE f.name = 'inflate_table'
GROUP BY p.package, p.path ORDER BY p.package, p.path;

-- 3. How much of the code is inlined, by compiler?
SELECT CASE WHEN u.producer LIKE 'GNU C++%' THEN 'GNU C++' WHEN u.producer LIKE 'GNU C%' THEN 'GNU C'
            WHEN u.producer LIKE '%clang%' THEN 'clang' WHEN u.producer LIKE '%rustc%' THEN 'rustc'
            ELSE 'other' END AS compiler,
       SUM(CASE WHEN i.inlined THEN 1 ELSE 0 END) AS inlined,
       SUM(CASE WHEN i.inlined THEN 0 ELSE 1 END) AS out_of_line,
       SUM(CASE WHEN i.inlined THEN 0 ELSE i.bytes END) AS code_bytes,
       SUM(CASE WHEN i.inlined AND i.depth = 0 THEN i.bytes ELSE 0 END) AS inlined_bytes
FROM instances i JOIN units u ON u.file = i.file AND u.id = i.unit
GROUP BY 1 ORDER BY inlined DESC;

-- 4. Which arguments of inlined copies are lost, by compiler and kind?
SELECT a.kind, a.reason, COUNT(*) AS arguments
FROM arguments a JOIN instances i ON i.file = a.file AND i.id = a.instance
WHERE i.inlined GROUP BY a.kind, a.reason ORDER BY arguments DESC;

-- 5. Which files had problems?
SELECT p.package, p.path, COUNT(*) AS problems, MIN(r.message) AS first
FROM problems r JOIN paths p ON p.file = r.file
WHERE NOT r.note GROUP BY p.package, p.path ORDER BY problems DESC;
