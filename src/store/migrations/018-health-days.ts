/** The worst that stood of each scraper on each of the last days on which something was seen of it. */
export const sql = `
CREATE TABLE health_days (
  slug TEXT NOT NULL,
  day TEXT NOT NULL,
  state TEXT NOT NULL,
  PRIMARY KEY (slug, day)
) WITHOUT ROWID;
`
