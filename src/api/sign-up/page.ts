import { Type } from "@sinclair/typebox"
import { type AnyElysia, Elysia } from "elysia"
import type { ClaimedKey } from "../../accounts/claims.ts"
import { freshKey } from "../../accounts/keys.ts"
import { findLink } from "../../accounts/links.ts"
import { newSecret, sameHash } from "../../accounts/secrets.ts"
import { dayMs } from "../../base/time.ts"
import { type AccountRow, accountById } from "../../store/accounts/accounts.ts"
import type { LinkRow } from "../../store/accounts/links.ts"
import { cookieOf, signedIn } from "../http/access.ts"
import { readText, requireType } from "../http/body.ts"
import { callContext } from "../http/context.ts"
import { requestSchema, responseSchema } from "../http/contract.ts"
import { ApiError, InvalidPart } from "../http/errors.ts"
import { operation } from "../http/operation.ts"
import { pageHeaders } from "../http/page.ts"
import { query } from "../schemas/common.ts"
import type { Call } from "../service.ts"
import type {
  AccessParts,
  ClientParts,
  CoreParts,
  QuotaParts,
  SignUpParts,
} from "../service-parts.ts"
import {
  becomeOwner,
  checkedCredentials,
  endSession,
  openSession,
  setPasswordByLink,
  signIn,
  signUp,
} from "./entry.ts"
import {
  apiKeyHtml,
  claimedHtml,
  keyGoneHtml,
  keyHtml,
  refusedHtml,
  type SignUpPage,
  signUpHtml,
} from "./html.ts"
import { checkPasswordCall } from "./password-calls.ts"

const formCookie = "trawl_form"

const headers = { ...pageHeaders, "cache-control": "no-store" }

const formSchema = Type.Object({
  action: Type.String({
    description: "Action: sign-up, sign-in, confirm, refuse, take-key, set-password or sign-out.",
  }),
  email: Type.Optional(Type.String()),
  password: Type.Optional(Type.String()),
  claim: Type.Optional(Type.String()),
  link: Type.Optional(Type.String()),
  keyName: Type.Optional(Type.String({ description: "Name of the agent's API key." })),
  keyDays: Type.Optional(Type.String({ description: "Lifetime of the key in days." })),
  keyCredits: Type.Optional(
    Type.String({ description: "Maximum credits that the key may spend." }),
  ),
  formToken: Type.String({ description: "Token of the page's own form." }),
})

const page = responseSchema(Type.String())

const refusedPages = <Value>(make: (status: number) => [number, Value]) =>
  Object.fromEntries([400, 401, 403, 408, 409, 413, 415, 429].map(make))

/** The page at `claimUrl`: a person signs up or in, and the waiting agent gets its API key. */
export function signUpPage(
  service: CoreParts & ClientParts & AccessParts & SignUpParts & QuotaParts,
): AnyElysia {
  return new Elysia()
    .use(callContext(service))
    .get(
      "/signup",
      async ({ call, query: requested }) => {
        const claim = requested.get("claim") ?? ""
        const link = requested.get("link") ?? ""
        const view = requested.get("view") === "sign-in" ? "sign-in" : "sign-up"
        const isOver = claim !== "" && !(await service.claims.isOpen(claim, new Date()))
        const error = isOver
          ? "This link has expired or was already used. Ask your agent for a new one."
          : undefined
        return show(service, call, { claim: isOver ? "" : claim, link, view, error })
      },
      {
        call: true,
        query: requestSchema.anyQuery(
          query({
            claim: Type.Optional(Type.String({ description: "From `claimUrl`." })),
            link: Type.Optional(
              Type.String({ description: "Link of an administrator or an invitation." }),
            ),
            view: Type.Optional(
              Type.String({ description: "`sign-in` shows the form for existing accounts." }),
            ),
          }),
        ),
        response: { 200: page },
        detail: operation({
          id: "signUpPage",
          tag: "Account",
          summary: "Get the sign-up page, also for an agent's claim",
          auth: "none",
          replies: { 200: { description: "The page.", types: ["text/html"] } },
        }),
      },
    )
    .post(
      "/signup",
      async ({ call }) => {
        const { request, set } = call
        let form: Record<string, string> = {}
        try {
          requireType(request, "application/x-www-form-urlencoded")
          form = Object.fromEntries(new URLSearchParams(await readText(request)))
          checkPasswordCall(service, call)
          requireOwnForm(request, form.formToken ?? "")
          return await submit(service, call, form)
        } catch (error) {
          if (!(error instanceof ApiError)) throw error
          set.status = error.status
          const { claim = "", link = "", email } = form
          const view = form.action === "sign-in" ? "sign-in" : "sign-up"
          const provided = { claim, link, email, view, error: messageFor(error) } as const
          return show(service, call, provided, error.status)
        }
      },
      {
        call: true,
        // The page shows validation issues itself.
        parse: "none",
        body: requestSchema.anyBody(formSchema),
        response: { 200: page, ...refusedPages((status) => [status, page]) },
        detail: operation({
          id: "submitSignUpPage",
          tag: "Account",
          summary: "Submit the sign-up page",
          auth: "none",
          bodyType: "application/x-www-form-urlencoded",
          replies: {
            200: { description: "The next page.", types: ["text/html"] },
            ...refusedPages((status) => [
              status,
              { description: "The page with an error message.", types: ["text/html"] },
            ]),
          },
        }),
      },
    )
}

/** Returns the message of an error for a person: all issues of the form, if it has several. */
const messageFor = (error: ApiError): string =>
  error instanceof InvalidPart
    ? error.issues.map(({ message }) => message).join(" ")
    : error.message

async function submit(
  service: CoreParts & ClientParts & AccessParts & SignUpParts & QuotaParts,
  call: Call,
  form: Record<string, string>,
) {
  const { claim = "", link = "", action } = form
  if (action === "refuse") {
    if (!(await service.claims.refuse(claim, new Date()))) throw claimIsOver()
    return html(refusedHtml(service))
  }
  if (action === "take-key") {
    const account = await signedIn(service, call)
    if (!account) throw new ApiError(401, "Your session has expired. Sign in again.")
    const apiKey = await service.claims.take(claim, account.id, new Date())
    const frame = { base: service.base }
    return html(apiKey ? apiKeyHtml(frame, apiKey, service.root(call)) : keyGoneHtml(frame))
  }
  if (action === "set-password") {
    const account = await setPasswordByLink(service, link, form.password ?? "")
    await openSession(service, call, account)
    const notice = "The password is set."
    return show(service, call, {
      claim: "",
      link: "",
      view: "sign-in",
      notice,
      signedInAs: account.email,
    })
  }
  if (action === "sign-out") {
    await endSession(service, call)
    const notice = "You are signed out."
    return show(service, call, { claim, link, view: "sign-in", notice, signedInAs: undefined })
  }
  const account = await accountFor(service, call, form)
  if (claim)
    return html(
      claimedHtml({ base: service.base, claim, link: "", formToken: form.formToken ?? "" }),
    )
  if (action !== "sign-up") {
    return show(service, call, { claim, link: "", view: "sign-in", signedInAs: account.email })
  }
  const { apiKey, row } = freshKey("First key", new Date())
  await service.store.write("keys.create", { ...row, accountId: account.id })
  return html(keyHtml(service, apiKey))
}

/** Returns the account that the form signs up or in. @throws ApiError if the form is not valid */
async function accountFor(
  service: CoreParts & ClientParts & AccessParts & SignUpParts & QuotaParts,
  call: Call,
  form: Record<string, string>,
): Promise<AccountRow> {
  const { action, email, password, claim, link } = form
  const key = claim ? claimedKey(form) : undefined
  if (action === "confirm") {
    const account = await signedIn(service, call)
    if (!account) throw new ApiError(401, "Your session has expired. Sign in again.")
    if (link) {
      await becomeOwner(service, account.id, link)
      return account
    }
    const done = await service.claims.complete(claim ?? "", account.id, new Date(), key)
    if (!done) throw claimIsOver()
    return account
  }
  const provided = checkedCredentials({
    email,
    password,
    ...(claim ? { claim } : {}),
    ...(link ? { link } : {}),
  })
  const enter = action === "sign-up" ? signUp : signIn
  const account = await enter(service, call, { ...provided, ...(key && { key }) })
  await openSession(service, call, account)
  return account
}

const claimIsOver = () => new ApiError(409, "This link has expired or was already used.")

/** Reads the rights of the agent's key. @throws ApiError 400 */
function claimedKey({ keyName, keyDays, keyCredits }: Record<string, string>): ClaimedKey {
  const [days, creditLimit] = [whole("keyDays", keyDays), whole("keyCredits", keyCredits)]
  const expiresAt = days === undefined ? null : new Date(Date.now() + days * dayMs).toISOString()
  return { name: keyName?.trim().slice(0, 100) || "Agent", expiresAt, creditLimit }
}

/** An optional number. @throws ApiError 400 */
function whole(name: string, text = ""): number | undefined {
  if (text.trim() === "") return undefined
  const number = Number(text)
  if (Number.isSafeInteger(number) && number > 0 && number < 1e9) return number
  throw new ApiError(400, `"${name}" must be a whole number greater than 0, or empty.`)
}

/** Refuses forms that were not created for this browser. @throws ApiError 403 */
function requireOwnForm(request: Request, formToken: string): void {
  const provided = cookieOf(request, formCookie)
  if (!provided || !sameHash(provided, formToken)) {
    throw new ApiError(403, "This form has expired. Submit it again.")
  }
}

const linkOver =
  "This link has expired or was already used. Ask the person who sent it for a new one."

type Visible = Pick<
  SignUpPage,
  "claim" | "link" | "view" | "email" | "error" | "notice" | "signedInAs"
>

/** `signedInAs`: by default the account of the browser's cookie. */
async function show(
  service: CoreParts & ClientParts & AccessParts & SignUpParts & QuotaParts,
  call: Call,
  provided: Visible,
  status = 200,
): Promise<Response> {
  const formToken = newSecret()
  const opened = provided.link === "" ? undefined : await findLink(service.store, provided.link)
  const linkKind = opened?.kind
  const claimant =
    provided.claim === "" ? undefined : await service.claims.find(provided.claim, new Date())
  const account = await signedIn(service, { ...call, request: asGet(call.request) })
  const cookie = new Bun.Cookie(formCookie, formToken, {
    path: `${service.base}/signup`,
    httpOnly: true,
    sameSite: "strict",
    secure: service.root(call).startsWith("https:"),
    maxAge: 86_400,
  })
  const isOver = provided.link !== "" && !linkKind && !provided.error
  const body = signUpHtml({
    signedInAs: account?.email,
    ...(opened && { email: await addressOf(service, opened) }),
    ...provided,
    error: isOver ? linkOver : provided.error,
    link: linkKind ? provided.link : "",
    linkKind,
    claimant,
    base: service.base,
    formToken,
    signUpOpen: linkKind !== undefined || service.signUpIsOpen,
    credits: await service.signUps.credits(service.address(call), new Date()),
  })
  const response = new Response(body, { status, headers })
  response.headers.append("set-cookie", cookie.serialize())
  return response
}

/** The email address that a link is for. */
async function addressOf({ store }: CoreParts, link: LinkRow): Promise<string> {
  if (link.account_id === null) return link.email ?? ""
  return (await accountById(store.db, link.account_id))?.email ?? ""
}

/** Treats the request as GET: showing the signed-in account is safe also after a refused call. */
function asGet(request: Request): Request {
  return new Request(request.url, { headers: request.headers })
}

function html(body: string): Response {
  return new Response(body, { headers })
}
