import type { Command } from "commander"
import { dayMs } from "../../base/time.ts"
import { acting, named, type Operator, printRows, Refused } from "../common/operate.ts"

/** `trawl key …`: manages API keys of the running service. */
export function registerKey(program: Command): void {
  const key = program
    .command("key")
    .description(
      "Manage API keys, for example: trawl key create ada@example.com --scopes run --days 30",
    )
  key
    .command("list")
    .description("List the valid keys of an account")
    .argument("<account>", "ID or email address of the account")
    .option("--json", "print JSON Lines", false)
    .action((account: string, { json }: { json: boolean }) =>
      acting((by) => list(by, account, json)),
    )
  key
    .command("create")
    .description("Create a key and print it; it is shown only once")
    .argument("<account>", "ID or email address of the account")
    .option("--name <name>", "name of the key", "Command line")
    .option("--scopes <scopes>", "run, read and admin, comma-separated (default: run,read)")
    .option("--days <days>", "days until the key expires", Number)
    .option("--credits <credits>", "maximum credits that the key may spend", Number)
    .action((account: string, options: NewKey) => acting((by) => create(by, account, options)))
  key
    .command("revoke")
    .description("Revoke a key at once")
    .argument("<key>", "ID of the key, for example key_1a2b")
    .action((id: string) =>
      acting(async (by) => {
        await by.call("DELETE", `/keys/${encodeURIComponent(id)}`)
        console.log(`${id} revoked`)
      }),
    )
}

interface NewKey {
  name: string
  scopes?: string
  days?: number
  credits?: number
}

async function create(
  by: Operator,
  account: string,
  { name, scopes, days, credits }: NewKey,
): Promise<void> {
  if (days !== undefined && !(days > 0 && days < 36_500)) {
    throw new Refused("--days must be a number greater than zero.")
  }
  const made = await by.call("POST", `${named(account)}/keys`, {
    name,
    ...(scopes && { scopes: scopes.split(",").map((scope) => scope.trim()) }),
    ...(days && { expiresAt: new Date(Date.now() + days * dayMs).toISOString() }),
    ...(credits !== undefined && { creditLimit: credits }),
  })
  console.log(made.id)
  console.log(made.apiKey)
}

interface Key {
  id: string
  name: string
  hint: string
  scopes: string[]
  creditLimit: number | null
  creditsUsed: number | null
  expiresAt: string | null
  lastUsedAt: string | null
}

function list(by: Operator, account: string, json: boolean): Promise<void> {
  return printRows<Key>(by, `${named(account)}/keys`, (key) =>
    json
      ? JSON.stringify(key)
      : [
          key.id,
          key.hint,
          key.name,
          key.scopes.join(","),
          key.creditLimit === null ? "-" : `${key.creditsUsed} of ${key.creditLimit}`,
          key.expiresAt ?? "-",
          key.lastUsedAt ?? "never used",
        ].join("\t"),
  )
}
