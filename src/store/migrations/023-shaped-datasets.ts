/** Names by which datasets are appended to, and expressions by which they are read. */
export const sql = `
ALTER TABLE runs ADD COLUMN dataset_name TEXT;
ALTER TABLE runs ADD COLUMN transform TEXT;
CREATE UNIQUE INDEX runs_dataset_name ON runs (account_id, dataset_name)
  WHERE dataset_name IS NOT NULL AND deleted_at IS NULL AND dataset_deleted_at IS NULL;
`
