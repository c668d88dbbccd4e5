import { Type } from "@sinclair/typebox"
import { type AnyElysia, Elysia } from "elysia"
import type { Session } from "../../accounts/accounts.ts"
import { type CheckedInput, checkInput, type InputFault } from "../../catalogue/kit/index.ts"
import type { AccountRow } from "../../store/accounts/accounts.ts"
import { readJson } from "../http/body.ts"
import { callContext } from "../http/context.ts"
import { gives, takes } from "../http/contract.ts"
import { ApiError } from "../http/errors.ts"
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

export interface Credentials {
  email: string
  password: string
  claim?: string
}

const example = { email: "ada@example.com", password: "correct horse battery" }

/** Its faults do not repeat the password. */
function checkCredentials(raw: unknown): CheckedInput {
  const result = checkInput(signUpSchema, raw)
  return result.ok ? result : { ok: false, faults: result.faults.map(withoutPassword) }
}

const credentialsBody = takes.judged<Credentials>(signUpSchema, checkCredentials)

/** Sign-up and sign-in for browsers; the session is a cookie. */
export function accountRoutes(service: Service): AnyElysia {
  const { store } = service
  return new Elysia({ prefix: "/api" })
    .use(callContext(service))
    .macro("door", {
      async parse({ request, set, server }) {
        enterDoor(service, { request, set, server })
        return readJson(request)
      },
    })
    .model({ Account: gives(accountSchema) })
    .post(
      "/account",
      async ({ call, set, body, root }) => {
        const account = await signUp(service, call, body)
        await openSession(service, call, account)
        set.status = 201
        set.headers.location = `${root}/api/account`
        return accountAnswer(store.db, account)
      },
      {
        call: true,
        root: true,
        door: true,
        body: credentialsBody,
        response: { 201: "Account" },
        detail: operation({
          id: "signUp",
          tag: "Account",
          summary: "Sign up by email and password",
          auth: "none",
          examples: { plain: { value: example } },
          replies: { 201: "The account; a session cookie." },
          refusals: [403, 409, 429],
        }),
      },
    )
    .get(
      "/account",
      async ({ call }) => {
        const account = await signedIn(service, call)
        if (!account) throw new ApiError(401, "Nobody is signed in.")
        return accountAnswer(store.db, account)
      },
      {
        response: { 200: "Account" },
        call: true,
        detail: operation({
          id: "getAccount",
          tag: "Account",
          summary: "Who is signed in",
          auth: "session",
          replies: { 200: "The account." },
        }),
      },
    )
    .post(
      "/session",
      async ({ call, body }) => {
        const account = await signIn(service, call, body)
        await openSession(service, call, account)
        return accountAnswer(store.db, account)
      },
      {
        call: true,
        door: true,
        body: credentialsBody,
        response: { 200: "Account" },
        detail: operation({
          id: "signIn",
          tag: "Account",
          summary: "Sign in by email and password",
          auth: "none",
          examples: { plain: { value: example } },
          replies: { 200: "The account; a session cookie." },
          refusals: [401, 403, 409, 429],
        }),
      },
    )
    .delete(
      "/session",
      async ({ call, set }) => {
        requireSameOrigin(service, call)
        await endSession(service, call)
        set.status = 204
      },
      {
        call: true,
        detail: operation({
          id: "signOut",
          tag: "Account",
          summary: "Sign out",
          auth: "session",
          replies: { 204: "Signed out." },
          refusals: [403],
        }),
      },
    )
}

/** @throws ApiError 400 */
export const checkedCredentials = (raw: unknown): Credentials => credentialsBody.judge(raw).value

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
