import { Type } from "@sinclair/typebox"
import { type AnyElysia, Elysia } from "elysia"
import type { Session } from "../../accounts/accounts.ts"
import { checkInput, type InputFault } from "../../catalogue/kit/index.ts"
import type { AccountRow } from "../../store/accounts/accounts.ts"
import { readJson } from "../http/body.ts"
import { ApiError, invalid } from "../http/errors.ts"
import { requireSameOrigin, sessionCookie, sessionToken, signedIn } from "../http/guard.ts"
import { operation } from "../http/operation.ts"
import type { Call, Service } from "../service.ts"
import { accountAnswer, accountSchema } from "../v1/me.ts"
import { enterDoor } from "./door.ts"

const credentials = {
  email: Type.String({ pattern: "^\\s*[^\\s@]+@[^\\s@]+\\s*$", maxLength: 254 }),
  password: Type.String({ minLength: 8, maxLength: 200, description: "At least 8 characters." }),
}

const signUpSchema = Type.Object(
  {
    ...credentials,
    claim: Type.Optional(
      Type.String({ description: "From a claim link: the agent that waits gets a key." }),
    ),
  },
  { additionalProperties: false },
)
const signInSchema = signUpSchema

export interface Credentials {
  email: string
  password: string
  claim?: string
}

const example = { email: "ada@example.com", password: "correct horse battery" }

/** Sign-up and sign-in for browsers; the session is a cookie. */
export function accountRoutes(service: Service): AnyElysia {
  const { store } = service
  return new Elysia({ prefix: "/api" })
    .post(
      "/account",
      async ({ request, set, server }) => {
        const call = { request, set, server }
        enterDoor(service, call)
        const given = checkedCredentials(await readJson(request))
        const account = await signUp(service, call, given)
        await openSession(service, call, account)
        set.status = 201
        return accountAnswer(store.db, account)
      },
      operation({
        id: "signUp",
        tag: "Account",
        summary: "Sign up by email and password",
        auth: "none",
        body: { schema: signUpSchema, examples: { plain: { value: example } } },
        replies: { 201: { description: "The account; a session cookie.", schema: accountSchema } },
        refusals: [403, 409, 429],
      }),
    )
    .get(
      "/account",
      async ({ request, set, server }) => {
        const account = await signedIn(service, { request, set, server })
        if (!account) throw new ApiError(401, "Nobody is signed in.")
        return accountAnswer(store.db, account)
      },
      operation({
        id: "getAccount",
        tag: "Account",
        summary: "Who is signed in",
        auth: "session",
        replies: { 200: { description: "The account.", schema: accountSchema } },
      }),
    )
    .post(
      "/session",
      async ({ request, set, server }) => {
        const call = { request, set, server }
        enterDoor(service, call)
        const given = checkedCredentials(await readJson(request))
        const account = await signIn(service, call, given)
        await openSession(service, call, account)
        return accountAnswer(store.db, account)
      },
      operation({
        id: "signIn",
        tag: "Account",
        summary: "Sign in by email and password",
        auth: "none",
        body: { schema: signInSchema, examples: { plain: { value: example } } },
        replies: { 200: { description: "The account; a session cookie.", schema: accountSchema } },
        refusals: [401, 403, 409, 429],
      }),
    )
    .delete(
      "/session",
      async ({ request, set, server }) => {
        requireSameOrigin(service, { request, set, server })
        await endSession(service, { request, set, server })
        set.status = 204
      },
      operation({
        id: "signOut",
        tag: "Account",
        summary: "Sign out",
        auth: "session",
        replies: { 204: { description: "Signed out." } },
        refusals: [403],
      }),
    )
}

/** @throws ApiError 400 with faults that do not repeat the password */
export function checkedCredentials(raw: unknown): Credentials {
  const result = checkInput(signUpSchema, raw)
  if (result.ok) return result.input as unknown as Credentials
  throw invalid(result.faults.map(withoutPassword), "body")
}

function withoutPassword(fault: InputFault): InputFault {
  if (fault.field !== "password") return fault
  const expected = "a text from 8 to 200 characters"
  return { field: "password", message: `"password" must be ${expected}.`, expected }
}

/** @throws ApiError 403 when sign-up is closed, 409 for a known address, 429 */
export async function signUp(
  service: Service,
  call: Call,
  given: Credentials,
): Promise<AccountRow> {
  const { accounts, claims, config, signUps } = service
  if (config.signup === "closed") {
    throw new ApiError(403, "Sign-up is closed; ask the operator of this service for an account.")
  }
  await requireOpenClaim(service, given.claim)
  const place = await signUps.take(service.address(call), new Date())
  if (!place.open) {
    const message = "Too many accounts were made from here today; come back after midnight, UTC."
    throw new ApiError(429, message, undefined, { "retry-after": String(place.retryAfterSeconds) })
  }
  const account = await accounts.create({ ...given, credits: place.credits })
  if (!account) {
    await place.giveBack()
    throw new ApiError(409, "This address has an account already; sign in.")
  }
  if (given.claim) await claims.complete(given.claim, account.id, new Date())
  return account
}

/** @throws ApiError 401, 409, 429 */
export async function signIn(
  service: Service,
  call: Call,
  { email, password, claim }: Credentials,
): Promise<AccountRow> {
  await requireOpenClaim(service, claim)
  const account = await service.guesses.attempt(email, service.callerKey(call), () =>
    service.accounts.signIn(email, password),
  )
  if (!account) throw new ApiError(401, "The address or the password is wrong.")
  if (claim) await service.claims.complete(claim, account.id, new Date())
  return account
}

async function requireOpenClaim({ claims }: Service, claim: string | undefined): Promise<void> {
  if (!claim || (await claims.isOpen(claim, new Date()))) return
  throw new ApiError(409, "The claim is over or was used already; ask your agent for a new link.")
}

export async function openSession(service: Service, call: Call, account: AccountRow) {
  const session: Session = await service.accounts.startSession(account.id)
  call.set.headers["set-cookie"] = cookie(service, call, session.token, session.expiresAt)
  call.set.headers["cache-control"] = "no-store"
}

export async function endSession(service: Service, call: Call): Promise<void> {
  const token = sessionToken(call.request)
  if (token !== undefined) await service.accounts.endSession(token)
  call.set.headers["set-cookie"] = cookie(service, call, "", new Date(0))
}

function cookie(service: Service, call: Call, token: string, expires: Date): string {
  return new Bun.Cookie(sessionCookie, token, {
    path: `${service.base}/`,
    httpOnly: true,
    sameSite: "lax",
    secure: service.root(call).startsWith("https:"),
    expires,
  }).serialize()
}
