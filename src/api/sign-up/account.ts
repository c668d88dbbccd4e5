import { type AnyElysia, Elysia } from "elysia"
import { requireSameOrigin, signedIn } from "../http/access.ts"
import { callContext } from "../http/context.ts"
import { responseSchema } from "../http/contract.ts"
import { ApiError } from "../http/errors.ts"
import { operation } from "../http/operation.ts"
import type {
  AccessParts,
  ClientParts,
  CoreParts,
  QuotaParts,
  SignUpParts,
} from "../service-parts.ts"
import { accountResponse, accountSchema } from "../v1/me.ts"
import { credentialsBody, endSession, openSession, signIn, signUp } from "./entry.ts"
import { passwordJson } from "./password-calls.ts"

const example = { email: "ada@example.com", password: "correct horse battery" }

/** Sign-up and sign-in for browsers; the session is a cookie. */
export function accountRoutes(
  service: CoreParts & ClientParts & AccessParts & SignUpParts & QuotaParts,
): AnyElysia {
  const { store } = service
  return new Elysia({ prefix: "/api" })
    .use(callContext(service))
    .use(passwordJson(service))
    .model({ Account: responseSchema(accountSchema) })
    .post(
      "/account",
      async ({ call, set, body, root }) => {
        const account = await signUp(service, call, body)
        await openSession(service, call, account)
        set.status = 201
        set.headers.location = `${root}/api/account`
        return accountResponse(store.db, account)
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
          summary: "Sign up with email and password",
          auth: "none",
          examples: { plain: { value: example } },
          replies: { 201: "The account, with a session cookie." },
          refusals: [403, 409, 429],
        }),
      },
    )
    .get(
      "/account",
      async ({ call }) => {
        const account = await signedIn(service, call)
        if (!account) throw new ApiError(401, "You are not signed in. Sign in first.")
        return accountResponse(store.db, account)
      },
      {
        response: { 200: "Account" },
        call: true,
        detail: operation({
          id: "getAccount",
          tag: "Account",
          summary: "Get the signed-in account",
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
        return accountResponse(store.db, account)
      },
      {
        call: true,
        door: true,
        body: credentialsBody,
        response: { 200: "Account" },
        detail: operation({
          id: "signIn",
          tag: "Account",
          summary: "Sign in with email and password",
          auth: "none",
          examples: { plain: { value: example } },
          replies: { 200: "The account, with a session cookie." },
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
