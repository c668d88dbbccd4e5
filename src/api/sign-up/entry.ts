import { Type } from "@sinclair/typebox"
import { normalEmail, type Session } from "../../accounts/accounts.ts"
import type { ClaimedKey } from "../../accounts/claims.ts"
import { findLink } from "../../accounts/links.ts"
import { sha256 } from "../../accounts/secrets.ts"
import { checkInput, expectedWords } from "../../catalogue/kit/index.ts"
import { type AccountRow, accountById } from "../../store/accounts/accounts.ts"
import type { LinkRow } from "../../store/accounts/links.ts"
import { sessionCookie, sessionToken } from "../http/access.ts"
import { requestSchema } from "../http/contract.ts"
import { ApiError } from "../http/errors.ts"
import type { Call } from "../service.ts"
import type {
  AccessParts,
  ClientParts,
  CoreParts,
  QuotaParts,
  SignUpParts,
} from "../service-parts.ts"

export const credentials = {
  email: Type.String({
    pattern: "^\\s*[^\\s@]+@[^\\s@]+\\s*$",
    maxLength: 254,
    [expectedWords]: "an email address",
  }),
  password: Type.String({
    minLength: 8,
    maxLength: 200,
    writeOnly: true,
    description: "At least 8 characters.",
  }),
}

const signUpSchema = Type.Object(
  {
    ...credentials,
    claim: Type.Optional(
      Type.String({
        description: "Claim token of a claim link: the waiting agent gets an API key.",
      }),
    ),
    link: Type.Optional(
      Type.String({ description: "Token of an invitation or an administrator link." }),
    ),
  },
  { additionalProperties: false },
)

export interface Credentials {
  email: string
  password: string
  claim?: string
  link?: string
  /** The key that the claim's agent gets. */
  key?: ClaimedKey
}

/** Body of a sign-up or sign-in. */
export const credentialsBody = requestSchema.validating<Credentials>(signUpSchema, (raw) =>
  checkInput(signUpSchema, raw),
)

/** @throws ApiError 400 */
export const checkedCredentials = (raw: unknown): Credentials => credentialsBody.validate(raw).value

/**
 * Creates an account. @throws ApiError 403 if sign-up is closed, 409 if the email address has an
 * account, 429
 */
export async function signUp(
  service: CoreParts & ClientParts & AccessParts & SignUpParts & QuotaParts,
  call: Call,
  provided: Credentials,
): Promise<AccountRow> {
  const { accounts, claims, signUps } = service
  await requireOpenClaim(service, provided.claim)
  if (provided.link) return join(service, provided, provided.link)
  if (!(await service.letsAnonymousCallersIn())) {
    throw new ApiError(403, "Sign-up is closed. Ask the operator of this server for an account.")
  }
  const signUp = await signUps.take(service.address(call), new Date())
  if (!signUp.open) {
    const message =
      "Too many accounts were created from this IP address today; try again after 00:00 UTC."
    throw new ApiError(429, message, undefined, { "retry-after": String(signUp.retryAfterSeconds) })
  }
  const account = await accounts.create({ ...provided, credits: signUp.credits })
  if (!account) {
    await signUp.refund()
    throw knownAddress()
  }
  if (provided.claim) await claims.complete(provided.claim, account.id, new Date(), provided.key)
  return account
}

const knownAddress = () =>
  new ApiError(409, "This email address already has an account. Sign in instead.")

/** Signs up by a link, also if sign-up is closed. @throws ApiError 403, 409 */
async function join(
  service: CoreParts & AccessParts & QuotaParts,
  provided: Credentials,
  link: string,
): Promise<AccountRow> {
  const { accounts, claims } = service
  const openLink = await requireOpenLink(service, link)
  if (openLink.email !== null && openLink.email !== normalEmail(provided.email)) {
    throw new ApiError(
      403,
      "This invitation is for another email address. Sign up with the invited one, or ask for a new invitation.",
    )
  }
  const account = await accounts.join(link, provided)
  if (account === "over") throw linkIsOver()
  if (account === "known") throw knownAddress()
  if (account.role === "owner")
    service.log.info({ account: account.id }, "an administrator was created")
  if (provided.claim) await claims.complete(provided.claim, account.id, new Date(), provided.key)
  return account
}

const linkIsOver = () =>
  new ApiError(
    409,
    "This link has expired or was already used; ask the person who sent it for a new one.",
  )

/** @throws ApiError 409 */
async function requireOpenLink({ store }: CoreParts, link: string): Promise<LinkRow> {
  const openLink = await findLink(store, link)
  if (!openLink) throw linkIsOver()
  return openLink
}

/** Makes an existing account an administrator. @throws ApiError 409 */
export async function becomeOwner(
  service: CoreParts & AccessParts,
  accountId: string,
  link: string,
) {
  const at = new Date().toISOString()
  const done = await service.store.write("links.own", { hash: sha256(link), accountId, at })
  if (!done) throw linkIsOver()
  service.keys.forget()
  service.log.info({ account: accountId }, "an administrator was created")
}

/**
 * Sets the password of the link's account and signs the browser in. @throws ApiError 400, 403, 409
 */
export async function setPasswordByLink(
  service: CoreParts & AccessParts,
  link: string,
  password: string,
): Promise<AccountRow> {
  const { account_id: id } = await requireOpenLink(service, link)
  const known = id === null ? undefined : await accountById(service.store.db, id)
  const email = known?.email ?? "unknown@example.com"
  checkedCredentials({ email, password })
  const account = await service.accounts.setPasswordByLink(link, password)
  if (!account) throw linkIsOver()
  return requireUnlocked(account)
}

function requireUnlocked(account: AccountRow): AccountRow {
  if (account.locked_at === null) return account
  throw new ApiError(403, "The account is locked; ask the operator of this service.")
}

/** @throws ApiError 401, 409, 429 */
export async function signIn(
  service: CoreParts & ClientParts & AccessParts & SignUpParts & QuotaParts,
  call: Call,
  { email, password, claim, link, key }: Credentials,
): Promise<AccountRow> {
  await requireOpenClaim(service, claim)
  const opened = link ? await requireOpenLink(service, link) : undefined
  const account = await service.guesses.attempt(email, service.callerKey(call), () =>
    service.accounts.signIn(email, password),
  )
  if (!account)
    throw new ApiError(
      401,
      "The email address or the password is wrong. If you forgot the password, ask the operator for a link.",
    )
  requireUnlocked(account)
  if (link && opened?.kind === "owner") await becomeOwner(service, account.id, link)
  if (claim) await service.claims.complete(claim, account.id, new Date(), key)
  return account
}

async function requireOpenClaim({ claims }: QuotaParts, claim: string | undefined): Promise<void> {
  if (!claim || (await claims.isOpen(claim, new Date()))) return
  throw new ApiError(
    409,
    "The claim has expired or was already used; ask your agent for a new link.",
  )
}

export async function openSession(
  service: CoreParts & ClientParts & AccessParts,
  call: Call,
  account: AccountRow,
) {
  const session: Session = await service.accounts.startSession(account.id)
  call.set.headers["set-cookie"] = cookie(service, call, session.token, session.expiresAt)
  call.set.headers["cache-control"] = "no-store"
}

export async function endSession(
  service: CoreParts & ClientParts & AccessParts,
  call: Call,
): Promise<void> {
  const token = sessionToken(call.request)
  if (token !== undefined) await service.accounts.endSession(token)
  call.set.headers["set-cookie"] = cookie(service, call, "", new Date(0))
}

function cookie(
  service: CoreParts & ClientParts,
  call: Call,
  token: string,
  expires: Date,
): string {
  return new Bun.Cookie(sessionCookie, token, {
    path: `${service.base}/`,
    httpOnly: true,
    sameSite: "lax",
    secure: service.root(call).startsWith("https:"),
    expires,
  }).serialize()
}
