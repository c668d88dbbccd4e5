import { type Static, Type } from "@sinclair/typebox"
import { type KeyTerms, scopes, scopesOf } from "../../accounts/keys.ts"
import { oneOf } from "../../catalogue/kit/index.ts"
import type { KeyRow } from "../../store/accounts/keys.ts"
import { issue } from "../http/body.ts"
import { invalid } from "../http/errors.ts"
import { maybe, responseObject, time } from "./common.ts"

const scope = oneOf([...scopes])

const key = {
  id: Type.String({ description: "`key_…`" }),
  name: Type.String(),
  hint: Type.String({ description: "The key without its middle part." }),
  scopes: Type.Array(scope, {
    description:
      "`run` starts and changes things, `read` reads them, `admin` administers the service.",
  }),
  creditLimit: maybe(Type.Integer({ description: "Maximum credits to spend." })),
  creditsUsed: maybe(Type.Integer({ description: "Credits spent of the limit." })),
  createdAt: time("Creation time."),
  expiresAt: maybe(time("Expiry time.")),
  lastUsedAt: maybe(time("Last use, to the minute.")),
}

export const keySchema = responseObject(key, { $id: "Key" })
export const newKeySchema = responseObject(
  {
    ...key,
    apiKey: Type.Optional(
      Type.String({
        description: "The API key; returned only once, and not when the call is repeated.",
      }),
    ),
  },
  { $id: "NewKey" },
)

export const newKeyBody = Type.Object(
  {
    name: Type.String({ default: "API key", minLength: 1, maxLength: 100 }),
    scopes: Type.Optional(
      Type.Array(scope, {
        minItems: 1,
        uniqueItems: true,
        description: "Scopes of the key. Default: `run` and `read`.",
      }),
    ),
    expiresAt: Type.Optional(time("Expiry time. Default: never.")),
    creditLimit: Type.Optional(
      Type.Integer({ minimum: 1, description: "Maximum credits to spend." }),
    ),
  },
  { additionalProperties: false },
)

/** Validates the scopes and limits of a new key. @throws ApiError 400 */
export function termsOf(
  { scopes, expiresAt, creditLimit }: Static<typeof newKeyBody>,
  now = new Date(),
): KeyTerms {
  if (expiresAt === undefined) return { scopes, creditLimit }
  const ends = Date.parse(expiresAt)
  if (Number.isNaN(ends) || ends <= now.getTime()) {
    const expected = "a future time, for example 2031-01-31T12:00:00Z"
    throw invalid(
      [{ ...issue("expiresAt", `"expiresAt" must be ${expected}.`, expected), actual: expiresAt }],
      "body",
    )
  }
  return { scopes, creditLimit, expiresAt: new Date(ends).toISOString() }
}

export function keyResponse(row: KeyRow) {
  return {
    id: row.id,
    name: row.name,
    hint: row.hint,
    scopes: scopesOf(row),
    creditLimit: row.credit_limit,
    creditsUsed: row.credit_limit === null ? null : row.credits_used,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
  }
}
