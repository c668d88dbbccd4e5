import type { Command } from "commander"
import type { Disk } from "../../api/admin/upkeep.ts"
import { inBytes } from "../common/bytes.ts"
import { acting, type Operator } from "../common/operate.ts"
import { table } from "../common/table.ts"

/** `trawl disk`: prints disk usage and the days until the disk is full. */
export function registerDisk(program: Command): void {
  program
    .command("disk")
    .description(
      "Print disk usage by account, scraper and age, and the days until the disk is full",
    )
    .option("--json", "print one JSON object", false)
    .action(({ json }: { json: boolean }) => acting((by) => print(by, json), { onlyLooks: true }))
}

async function print(by: Operator, json: boolean): Promise<void> {
  const disk: Disk = await by.call("GET", "/disk")
  if (json) return console.log(JSON.stringify(disk))
  const { databaseBytes, reusableBytes, fileBytes, freeBytes, bytesPerDay, daysUntilFull } = disk
  const until =
    daysUntilFull === null ? "not at the current growth and retention" : `${daysUntilFull} days`
  console.log(
    table([
      ["Database", `${inBytes(databaseBytes)}, of which ${inBytes(reusableBytes)} can be reused`],
      ["Files of runs", inBytes(fileBytes)],
      ["Free on the disk", inBytes(freeBytes)],
      ["Added a day", inBytes(bytesPerDay)],
      ["Full in", until],
    ]),
  )
  const parts = { Account: disk.accounts, Scraper: disk.scrapers, Age: disk.ages }
  for (const [name, shares] of Object.entries(parts)) {
    const rows = shares.map((share) => [
      share.name,
      String(share.runs),
      String(share.items),
      inBytes(share.bytes),
    ])
    console.log(`\n${table([[name, "Runs", "Items", "Size"], ...rows])}`)
  }
}
