// Writes Parquet from the CSV files of an export, with DuckDB.
//
// usage: npm install @duckdb/node-api && node to-parquet.mjs DIRECTORY
//
// DIRECTORY is that of --csv-dir; units.csv becomes units.parquet in it, and so on. Several exports can be read as
// one table: read_parquet('*/units.parquet') in DuckDB, or the like elsewhere.
import { DuckDBInstance } from '@duckdb/node-api';
import { readdirSync } from 'node:fs';

const directory = process.argv[2];
if (!directory) {
	console.error('usage: node to-parquet.mjs DIRECTORY');
	process.exit(64);
}
const text = (string) => `'${string.replaceAll("'", "''")}'`;
const database = await DuckDBInstance.create(':memory:');
const connection = await database.connect();
for (const name of readdirSync(directory).filter((name) => name.endsWith('.csv'))) {
	const from = text(`${directory}/${name}`), to = text(`${directory}/${name.slice(0, -4)}.parquet`);
	// Types are those of all values, not of the first ones only.
	await connection.run(`COPY (SELECT * FROM read_csv(${from}, header = true, sample_size = -1))
		TO ${to} (FORMAT parquet)`);
}
