import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { migrate } from "../../src/store/db/migrate.ts"
import { random } from "../trust/mutate.ts"

test("stored lengths of lists are right, whatever happens to the rows", () => {
  const database = new Database(":memory:")
  migrate(database)
  const next = random(27)
  const accounts = ["acc_a", "acc_b", null]
  const account = () => accounts[Math.floor(next() * accounts.length)]!
  const at = new Date(0).toISOString()
  const stored = () =>
    database
      .query("SELECT account_id, list, length FROM list_counts WHERE length <> 0 ORDER BY 1, 2")
      .values()
  const counted = () =>
    database
      .query(
        `SELECT account_id, 'datasets', count(*) AS n FROM runs
           WHERE account_id IS NOT NULL AND deleted_at IS NULL AND dataset_deleted_at IS NULL GROUP BY 1
         UNION ALL SELECT account_id, 'ledger', count(*) FROM ledger GROUP BY 1
         UNION ALL SELECT account_id, 'runs', count(*) FROM runs
           WHERE account_id IS NOT NULL AND deleted_at IS NULL GROUP BY 1
         ORDER BY 1, 2`,
      )
      .values()
  for (const id of ["acc_a", "acc_b"])
    database.run("INSERT INTO accounts (id, email, created_at) VALUES (?, ?, ?)", [id, id, at])
  const begin = (n: number) =>
    database.run(
      `INSERT INTO runs (id, dataset_id, slug, status, input, origin, timeout_seconds, account_id, created_at)
       VALUES (?, ?, 'a', 'succeeded', '{}', 'api', 60, ?, ?)`,
      [`run_${n}`, `ds_${n}`, account(), at],
    )
  const changes = [
    (id: string) => database.run("UPDATE runs SET deleted_at = ? WHERE id = ?", [at, id]),
    (id: string) => database.run("UPDATE runs SET dataset_deleted_at = ? WHERE id = ?", [at, id]),
    // As when keyless runs are claimed.
    (id: string) => database.run("UPDATE runs SET account_id = ? WHERE id = ?", [account(), id]),
    (id: string) => database.run("UPDATE runs SET item_count = item_count + 1 WHERE id = ?", [id]),
    (id: string) => database.run("DELETE FROM runs WHERE id = ?", [id]),
    () =>
      database.run(
        "INSERT INTO ledger (account_id, amount, reason, at) VALUES (?, 1, 'grant', ?)",
        [account() ?? "acc_a", at],
      ),
  ]
  for (let n = 0; n < 400; n++) {
    begin(n)
    const change = changes[Math.floor(next() * changes.length)]!
    change(`run_${Math.floor(next() * n)}`)
    if (n % 20 === 0) expect(stored()).toEqual(counted())
  }
  expect(stored()).toEqual(counted())
  expect(counted().length).toBe(6)
})
