import type { Command } from "commander"
import { acting, named, type Operator, printRows, Refused } from "../common/operate.ts"

/** `trawl account …`: manages accounts of the running service. */
export function registerAccount(program: Command): void {
  const account = program
    .command("account")
    .description("Manage accounts, for example: trawl account create ada@example.com")
  const accountCommand = (name: string, description: string) =>
    account.command(name).description(description)
  accountCommand("create", "Create an account and an API key")
    .argument("<email>")
    .option("--unlimited", "create it without credit limits", false)
    .option("--owner", "make it an administrator", false)
    .option(
      "--password <password>",
      "password for the console (default: none, only the API key works)",
    )
    .action((email: string, options: NewAccount) => acting((by) => create(by, email, options)))
  accountCommand("credit", "Add credits to an account")
    .argument("<account>", "ID or email address of the account")
    .argument("<credits>", "number of credits; a negative number removes credits", Number)
    .option("--note <note>", "note for the ledger")
    .action((account: string, amount: number, { note }: { note?: string }) =>
      acting((by) => credit(by, account, amount, note)),
    )
  accountCommand("list", "List all accounts")
    .option("--json", "print JSON Lines", false)
    .action(({ json }: { json: boolean }) => acting((by) => list(by, json)))
  accountCommand("role", "Change the role of an account")
    .argument("<account>", "ID or email address of the account")
    .argument("<role>", "owner (administrator) or member")
    .action((account: string, role: string) =>
      acting(async (by) => printAccount(await by.call("PATCH", named(account), { role }))),
    )
  accountCommand("lock", "Lock an account: its keys, sessions, links and schedules stop working")
    .argument("<account>", "ID or email address of the account")
    .action((account: string) =>
      acting(async (by) => printAccount(await by.call("PATCH", named(account), { locked: true }))),
    )
  accountCommand("unlock", "Unlock an account")
    .argument("<account>", "ID or email address of the account")
    .action((account: string) =>
      acting(async (by) => printAccount(await by.call("PATCH", named(account), { locked: false }))),
    )
  accountCommand("limit", "Set the limits of an account")
    .argument("<account>", "ID or email address of the account")
    .option("--runs <runs>", "maximum concurrent runs; default restores the setting")
    .option(
      "--calls <calls>",
      "maximum calls per minute and key, 0 for no limit; default restores the setting",
    )
    .action((account: string, options: { runs?: string; calls?: string }) =>
      acting((by) => limit(by, account, options)),
    )
  accountCommand("password", "Print a link that sets a new password")
    .argument("<account>", "ID or email address of the account")
    .action((account: string) =>
      acting(async (by) => printLink(await by.call("POST", `${named(account)}/password-link`))),
    )
  accountCommand("delete", "Delete an account with its keys, runs and items")
    .argument("<account>", "ID or email address of the account")
    .option("--yes", "do not ask for confirmation", false)
    .action((account: string, { yes }: { yes: boolean }) =>
      acting((by) => remove(by, account, yes)),
    )
  accountCommand("invite", "Print a link that creates an account")
    .argument("[email]", "the only email address that may use the link")
    .option("--owner", "make the account an administrator", false)
    .option("--credits <credits>", "initial credits", Number)
    .action((email: string | undefined, { owner, credits }: { owner: boolean; credits?: number }) =>
      acting(async (by) => {
        const role = owner ? "owner" : "member"
        printLink(await by.call("POST", "/invitations", { email, role, credits }))
      }),
    )
  accountCommand("owner-link", "Print a link that creates an administrator account").action(() =>
    acting(async (by) => printLink(await by.call("POST", "/owner-link"))),
  )
}

interface NewAccount {
  unlimited: boolean
  owner: boolean
  password?: string
}

async function create(
  by: Operator,
  email: string,
  { unlimited, owner, password }: NewAccount,
): Promise<void> {
  const role = owner ? "owner" : "member"
  const made = await by.call("POST", "/accounts", {
    email,
    role,
    ...(unlimited && { unlimited }),
    ...(password !== undefined && { password }),
  })
  console.log(made.account.id)
  console.log(made.apiKey)
}

async function credit(
  by: Operator,
  account: string,
  amount: number,
  note: string | undefined,
): Promise<void> {
  if (!Number.isSafeInteger(amount) || amount === 0) {
    throw new Refused(`<credits> must be a whole number other than zero, for example 100 or -100.`)
  }
  const { id, credits } = await by.call("POST", `${named(account)}/credits`, { amount, note })
  console.log(`${id} ${credits.balance}`)
}

async function remove(by: Operator, account: string, yes: boolean): Promise<void> {
  const { id, email } = await by.call("GET", named(account))
  const sure = yes || confirm(`Delete ${id} (${email ?? "no address"}) with all its data?`)
  if (!sure) throw new Refused("Nothing was deleted. Use --yes to delete without confirmation.")
  await by.call("DELETE", named(id))
  console.log(`${id} deleted`)
}

async function limit(
  by: Operator,
  account: string,
  { runs, calls }: { runs?: string; calls?: string },
): Promise<void> {
  const wanted = (text: string) => (text === "default" ? null : Number(text))
  const change = {
    ...(runs !== undefined && { runsAtOnce: wanted(runs) }),
    ...(calls !== undefined && { callsPerMinute: wanted(calls) }),
  }
  if (Object.keys(change).length === 0) throw new Refused("Set --runs, --calls, or both.")
  const { id, limits } = await by.call("PATCH", named(account), { limits: change })
  const visible = (value: number | null) => value ?? "default"
  console.log(`${id} runs ${visible(limits.runsAtOnce)}, calls ${visible(limits.callsPerMinute)}`)
}

interface Listed {
  id: string
  email: string | null
  role: string
  credits: { balance: number; unlimited: boolean }
  lockedAt: string | null
  createdAt: string
}

function list(by: Operator, json: boolean): Promise<void> {
  return printRows<Listed>(by, "/accounts", (account) =>
    json
      ? JSON.stringify({ ...account, ...account.credits })
      : [
          account.id,
          account.email ?? "-",
          account.credits.unlimited ? "unlimited" : String(account.credits.balance),
          account.createdAt,
          account.lockedAt === null ? account.role : "locked",
        ].join("\t"),
  )
}

function printAccount({ id, role, lockedAt }: Listed): void {
  console.log(`${id} ${role}${lockedAt === null ? "" : " locked"}`)
}

function printLink({ url, expiresAt }: { url: string; expiresAt: string }): void {
  console.log(url)
  console.error(`It is valid for one account, until ${expiresAt}.`)
}
