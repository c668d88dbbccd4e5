/** Nothing: it is of a PostgreSQL alone. */
export const sql = "SELECT 1;"

/** The last transaction that each connection which writes has made (postgres/commit-mark.ts). */
export const postgres = `
CREATE TABLE commits (
  lane TEXT COLLATE "C" PRIMARY KEY,
  n BIGINT NOT NULL,
  at DOUBLE PRECISION NOT NULL
) WITH (fillfactor = 50);
`
