import type { Command } from "commander"
import { Accounts, normalEmail } from "../accounts/accounts.ts"
import { freshKey } from "../accounts/keys.ts"
import {
  type AccountRow,
  accountByEmail,
  accountById,
  listAccounts,
} from "../store/accounts/accounts.ts"
import { openStore, type Store } from "../store/store.ts"
import { readSettings } from "./settings.ts"

/** `trawl account create`, `credit` and `list`; they may be used while the service runs. */
export function registerAccount(program: Command): void {
  const account = program.command("account").description("accounts, their keys and credits")
  account
    .command("create")
    .description("make an account and a key for it")
    .argument("<email>")
    .option("--unlimited", "pays for nothing: the operator's own account", false)
    .option("--password <password>", "for the web pages; without one, only the key opens it")
    .action((email: string, options: { unlimited: boolean; password?: string }) =>
      withStore((store) => create(store, email, options)),
    )
  account
    .command("credit")
    .description("give credits to an account")
    .argument("<account>", "id or email")
    .argument("<credits>", "how many; below zero takes some back", Number)
    .option("--note <note>", "a word for the ledger")
    .action((account: string, credits: number, { note }: { note?: string }) =>
      withStore((store) => credit(store, account, credits, note)),
    )
  account
    .command("list")
    .description("all accounts")
    .option("--json", "as JSON lines", false)
    .action(({ json }: { json: boolean }) => withStore((store) => list(store, json)))
}

async function withStore(work: (store: Store) => Promise<void>): Promise<void> {
  const store = openStore(readSettings().dataDir)
  try {
    await work(store)
  } finally {
    await store.close()
  }
}

function fail(message: string): void {
  console.error(message)
  process.exitCode = 2
}

async function create(
  store: Store,
  email: string,
  { unlimited, password }: { unlimited: boolean; password?: string },
): Promise<void> {
  if (!/^[^\s@]+@[^\s@]+$/.test(email.trim())) return fail(`"${email}" is no email address.`)
  if (password !== undefined && password.length < 8) {
    return fail("The password must have at least 8 characters.")
  }
  const accounts = new Accounts(store, readSettings())
  const account = await accounts.create({ email, password: password ?? null, unlimited })
  if (!account) return fail(`${normalEmail(email)} has an account already.`)
  const { apiKey, row } = freshKey("Command line", new Date())
  await store.write("keys.create", { ...row, accountId: account.id })
  console.log(account.id)
  console.log(apiKey)
}

async function credit(
  store: Store,
  name: string,
  credits: number,
  note: string | undefined,
): Promise<void> {
  if (!Number.isSafeInteger(credits) || credits === 0) {
    return fail("The credits must be a whole number other than zero.")
  }
  const account = (await accountById(store.db, name)) ?? (await byEmail(store, name))
  if (!account) return fail(`There is no account "${name}".`)
  if (account.balance + credits < 0) return fail(`The account has ${account.balance} credits only.`)
  const balance = await store.write("credits.add", {
    accountId: account.id,
    amount: credits,
    reason: "grant",
    note: note ?? null,
    at: new Date().toISOString(),
  })
  console.log(`${account.id} ${balance}`)
}

function byEmail(store: Store, name: string): Promise<AccountRow | undefined> {
  return accountByEmail(store.db, normalEmail(name))
}

async function list(store: Store, json: boolean): Promise<void> {
  for (const { id, email, unlimited, balance, created_at } of await listAccounts(store.db)) {
    if (json) {
      const row = { id, email, unlimited: unlimited === 1, balance, createdAt: created_at }
      console.log(JSON.stringify(row))
    } else {
      console.log([id, email ?? "-", unlimited ? "unlimited" : balance, created_at].join("\t"))
    }
  }
}
