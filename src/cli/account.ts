import type { Command } from "commander"
import { acting, named, type Operator, Refused, tellRows } from "./operate.ts"

/** `trawl account …`: who may use the service. It acts on the service that runs. */
export function registerAccount(program: Command): void {
  const account = program.command("account").description("accounts, their keys and credits")
  const storeCommand = (name: string, description: string) =>
    account.command(name).description(description)
  storeCommand("create", "make an account and a key for it")
    .argument("<email>")
    .option("--unlimited", "pays for nothing", false)
    .option("--owner", "operates the service", false)
    .option("--password <password>", "for the web pages; without one, only the key opens it")
    .action((email: string, options: NewAccount) => acting((by) => create(by, email, options)))
  storeCommand("credit", "give credits to an account")
    .argument("<account>", "id or email")
    .argument("<credits>", "how many; below zero takes some back", Number)
    .option("--note <note>", "a word for the ledger")
    .action((account: string, amount: number, { note }: { note?: string }) =>
      acting((by) => credit(by, account, amount, note)),
    )
  storeCommand("list", "all accounts")
    .option("--json", "as JSON lines", false)
    .action(({ json }: { json: boolean }) => acting((by) => list(by, json)))
  storeCommand("role", "make an account an owner's, or a member's again")
    .argument("<account>", "id or email")
    .argument("<role>", "owner or member")
    .action((account: string, role: string) =>
      acting(async (by) => tell(await by.call("PATCH", named(account), { role }))),
    )
  storeCommand("lock", "keep an account out: no keys, browsers, links or schedules of it work")
    .argument("<account>", "id or email")
    .action((account: string) =>
      acting(async (by) => tell(await by.call("PATCH", named(account), { locked: true }))),
    )
  storeCommand("unlock", "let an account in again")
    .argument("<account>", "id or email")
    .action((account: string) =>
      acting(async (by) => tell(await by.call("PATCH", named(account), { locked: false }))),
    )
  storeCommand("limit", "give an account limits of its own")
    .argument("<account>", "id or email")
    .option("--runs <runs>", "executed at once; default takes the setting's again")
    .option(
      "--calls <calls>",
      "a minute of each key, 0 for no limit; default takes the setting's again",
    )
    .action((account: string, options: { runs?: string; calls?: string }) =>
      acting((by) => limit(by, account, options)),
    )
  storeCommand("password", "print a link by which an account gets a new password")
    .argument("<account>", "id or email")
    .action((account: string) =>
      acting(async (by) => tellLink(await by.call("POST", `${named(account)}/password-link`))),
    )
  storeCommand("delete", "delete an account with its keys, runs and items")
    .argument("<account>", "id or email")
    .option("--yes", "without asking", false)
    .action((account: string, { yes }: { yes: boolean }) =>
      acting((by) => remove(by, account, yes)),
    )
  storeCommand("invite", "print a link by which somebody makes an account")
    .argument("[email]", "who alone may use it")
    .option("--owner", "the account will operate the service", false)
    .option("--credits <credits>", "to begin with", Number)
    .action((email: string | undefined, { owner, credits }: { owner: boolean; credits?: number }) =>
      acting(async (by) => {
        const role = owner ? "owner" : "member"
        tellLink(await by.call("POST", "/invitations", { email, role, credits }))
      }),
    )
  storeCommand("owner-link", "print a link that makes an owner's account").action(() =>
    acting(async (by) => tellLink(await by.call("POST", "/owner-link"))),
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
    throw new Refused("The credits must be a whole number other than zero.")
  }
  const { id, credits } = await by.call("POST", `${named(account)}/credits`, { amount, note })
  console.log(`${id} ${credits.balance}`)
}

async function remove(by: Operator, account: string, yes: boolean): Promise<void> {
  const { id, email } = await by.call("GET", named(account))
  const sure = yes || confirm(`Delete ${id} (${email ?? "no address"}) with all that it has?`)
  if (!sure) throw new Refused("Nothing was deleted; --yes deletes without asking.")
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
  if (Object.keys(change).length === 0) throw new Refused("Give --runs, --calls, or both.")
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
  return tellRows<Listed>(by, "/accounts", (account) =>
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

function tell({ id, role, lockedAt }: Listed): void {
  console.log(`${id} ${role}${lockedAt === null ? "" : " locked"}`)
}

function tellLink({ url, expiresAt }: { url: string; expiresAt: string }): void {
  console.log(url)
  console.error(`It is good for one account, until ${expiresAt}.`)
}
