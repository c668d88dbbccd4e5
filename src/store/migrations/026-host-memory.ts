/** One process by itself has what it knows of hosts in its memory. */
export const sql = `
SELECT 1;
`

/** What the processes that share a PostgreSQL tell each other of hosts; a crash of the server may take it. */
export const postgres = `
CREATE UNLOGGED TABLE host_memory (
  name TEXT COLLATE "C" PRIMARY KEY,
  value TEXT NOT NULL,
  ends_at DOUBLE PRECISION NOT NULL
);
CREATE INDEX host_memory_by_end ON host_memory (ends_at);
`
