import type { Command } from "commander"
import { type Operator, operate, Refused } from "./operate.ts"

const named = (account: string) => `/accounts/${encodeURIComponent(account)}`

/** `trawl account …`: who may use the service. It acts on the service that runs. */
export function registerAccount(program: Command): void {
  const account = program.command("account").description("accounts, their keys and credits")
  const verb = (name: string, description: string) => account.command(name).description(description)
  verb("create", "make an account and a key for it")
    .argument("<email>")
    .option("--unlimited", "pays for nothing", false)
    .option("--owner", "operates the service", false)
    .option("--password <password>", "for the web pages; without one, only the key opens it")
    .action((email: string, options: NewAccount) => acting((by) => create(by, email, options)))
  verb("credit", "give credits to an account")
    .argument("<account>", "id or email")
    .argument("<credits>", "how many; below zero takes some back", Number)
    .option("--note <note>", "a word for the ledger")
    .action((account: string, amount: number, { note }: { note?: string }) =>
      acting((by) => credit(by, account, amount, note)),
    )
  verb("list", "all accounts")
    .option("--json", "as JSON lines", false)
    .action(({ json }: { json: boolean }) => acting((by) => list(by, json)))
  verb("role", "make an account an owner's, or a member's again")
    .argument("<account>", "id or email")
    .argument("<role>", "owner or member")
    .action((account: string, role: string) =>
      acting(async (by) => tell(await by.call("PATCH", named(account), { role }))),
    )
  verb("lock", "keep an account out: its keys are refused, its browsers signed out")
    .argument("<account>", "id or email")
    .action((account: string) =>
      acting(async (by) => tell(await by.call("PATCH", named(account), { locked: true }))),
    )
  verb("unlock", "let an account in again")
    .argument("<account>", "id or email")
    .action((account: string) =>
      acting(async (by) => tell(await by.call("PATCH", named(account), { locked: false }))),
    )
  verb("invite", "print a link by which somebody makes an account")
    .argument("[email]", "who alone may use it")
    .option("--owner", "the account will operate the service", false)
    .option("--credits <credits>", "to begin with", Number)
    .action((email: string | undefined, { owner, credits }: { owner: boolean; credits?: number }) =>
      acting(async (by) => {
        const role = owner ? "owner" : "member"
        tellLink(await by.call("POST", "/invitations", { email, role, credits }))
      }),
    )
  verb("owner-link", "print a link that makes an owner's account").action(() =>
    acting(async (by) => tellLink(await by.call("POST", "/owner-link"))),
  )
}

/** What is refused is told in a sentence; exit code 2. */
async function acting(work: (by: Operator) => Promise<void>): Promise<void> {
  try {
    await operate(work)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    console.error(error.message)
    process.exitCode = 2
  }
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

interface Listed {
  id: string
  email: string | null
  role: string
  credits: { balance: number; unlimited: boolean }
  lockedAt: string | null
  createdAt: string
}

async function list(by: Operator, json: boolean): Promise<void> {
  let cursor: string | null = ""
  do {
    const page: { items: Listed[]; nextCursor: string | null } = await by.call(
      "GET",
      `/accounts?limit=1000${cursor && `&cursor=${cursor}`}`,
    )
    for (const { id, email, role, credits, lockedAt, createdAt } of page.items) {
      if (json) {
        console.log(JSON.stringify({ id, email, role, ...credits, lockedAt, createdAt }))
      } else {
        const paid = credits.unlimited ? "unlimited" : String(credits.balance)
        const state = lockedAt === null ? role : "locked"
        console.log([id, email ?? "-", paid, createdAt, state].join("\t"))
      }
    }
    cursor = page.nextCursor
  } while (cursor !== null)
}

function tell({ id, role, lockedAt }: Listed): void {
  console.log(`${id} ${role}${lockedAt === null ? "" : " locked"}`)
}

function tellLink({ url, expiresAt }: { url: string; expiresAt: string }): void {
  console.log(url)
  console.error(`It is good for one account, until ${expiresAt}.`)
}
