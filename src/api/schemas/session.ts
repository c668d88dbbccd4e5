import { type Static, Type } from "@sinclair/typebox"
import { oneOf } from "../../catalogue/kit/index.ts"
import type { LoginRecipe } from "../../engine/net/sessions/login.ts"
import type { SiteSessionRow } from "../../store/accounts/site-sessions.ts"
import { maybe, responseObject, time } from "./common.ts"

export const sessionName = "^(?!ses_)[a-z0-9][a-z0-9._-]{0,63}$"

/** The option of runs, schedules, batches and recipes. */
export const sessionOption = Type.String({
  minLength: 1,
  maxLength: 64,
  description:
    "Name of the session with which pages of its hosts are fetched. It must exist in the account.",
})

const selector = Type.String({ minLength: 1, maxLength: 500, description: "CSS selector." })
const step = Type.Union([
  Type.Object(
    { type: Type.Literal("goto"), url: Type.String({ pattern: "^https?://", maxLength: 4000 }) },
    { additionalProperties: false },
  ),
  Type.Object(
    {
      type: Type.Literal("fill"),
      selector,
      text: Type.Optional(Type.String({ maxLength: 1000 })),
      secret: Type.Optional(
        Type.String({ maxLength: 64, description: "Name of a text of `secrets`." }),
      ),
    },
    { additionalProperties: false },
  ),
  Type.Object({ type: Type.Literal("click"), selector }, { additionalProperties: false }),
  Type.Object(
    { type: Type.Literal("press"), key: Type.String({ pattern: "^[A-Za-z0-9]{1,20}$" }) },
    { additionalProperties: false },
  ),
  Type.Object(
    {
      type: Type.Literal("wait"),
      selector: Type.Optional(selector),
      milliseconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
    },
    { additionalProperties: false },
  ),
])

const steps = Type.Array(step, {
  minItems: 1,
  maxItems: 30,
  description:
    "Steps in Chrome, in order: `goto` (url), `fill` (selector, and text or secret), `click` (selector), `press` (key), `wait` (selector or milliseconds). The first is a `goto`.",
})

const settings = {
  name: Type.String({
    pattern: sessionName,
    maxLength: 64,
    description:
      "Name in the account: lowercase letters, digits, hyphens, underscores and dots, for example shop.",
  }),
  hosts: Type.Array(Type.String({ minLength: 1, maxLength: 253 }), {
    minItems: 1,
    maxItems: 20,
    description:
      'Hosts that receive it, with their subdomains, for example ["shop.example"]. Default: those of the cookies, or the sites of the `goto` steps.',
  }),
  import: Type.Unknown({
    description:
      "Cookies of a signed-in browser: the text of a cookies.txt, a JSON list of cookies, a Playwright storageState, or a request copied as cURL.",
  }),
  login: Type.Object(
    {
      steps,
      secrets: Type.Record(
        Type.String({ pattern: "^[\\w-]{1,64}$" }),
        Type.String({ maxLength: 1000, writeOnly: true }),
        {
          description:
            "Texts of `fill` steps by name. They are stored encrypted, and never returned.",
          default: {},
        },
      ),
    },
    {
      additionalProperties: false,
      description: "A log-in recipe, which is run again when the site asks to sign in.",
    },
  ),
}

export const newSessionBody = Type.Object(
  {
    name: settings.name,
    hosts: Type.Optional(settings.hosts),
    import: Type.Optional(settings.import),
    login: Type.Optional(settings.login),
  },
  { additionalProperties: false },
)

export type NewSession = Static<typeof newSessionBody>

export const sessionPut = Type.Omit(newSessionBody, ["name"], { additionalProperties: false })

export const sessionChange = Type.Object(
  {
    name: Type.Optional(settings.name),
    hosts: Type.Optional(settings.hosts),
    import: Type.Optional(settings.import),
    login: Type.Optional(maybe(settings.login)),
  },
  { additionalProperties: false },
)

export type SessionChange = Static<typeof sessionChange>

const visibleStep = Type.Object({}, { additionalProperties: true })

export const sessionSchema = responseObject(
  {
    id: Type.String({ description: "`ses_…`" }),
    name: Type.String(),
    hosts: Type.Array(Type.String(), {
      description: "Hosts that receive it, each with its subdomains.",
    }),
    status: oneOf(["active", "expired"]),
    reason: maybe(Type.String({ description: "Reason for the expiry." })),
    signedIn: Type.Boolean({
      description: "Whether it has cookies. If not, the first run logs in by the recipe.",
    }),
    login: maybe(
      responseObject(
        {
          steps: Type.Array(visibleStep),
          secrets: Type.Array(Type.String(), { description: "Names, without their texts." }),
        },
        { description: "The log-in recipe." },
      ),
    ),
    expiresAt: maybe(time("Expiry of its last cookie; null if a cookie has no expiry.")),
    lastUsedAt: maybe(time("Time of the last run that used it.")),
    createdAt: time("Time of creation."),
    updatedAt: time("Time of the last change of its cookies or settings."),
  },
  { $id: "Session" },
)

export const sessionParams = {
  session: Type.String({ description: "ID or name of the session." }),
}

export const putName = Type.Object({ session: settings.name })

export function sessionResponse(row: SiteSessionRow, login: LoginRecipe | null) {
  return {
    id: row.id,
    name: row.name,
    hosts: JSON.parse(row.hosts) as string[],
    status: row.expired === 1 ? ("expired" as const) : ("active" as const),
    reason: row.expired_reason,
    signedIn: row.state !== null,
    login: login && {
      steps: login.steps as unknown as Record<string, unknown>[],
      secrets: Object.keys(login.secrets),
    },
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
