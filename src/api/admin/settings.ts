import { type Static, Type } from "@sinclair/typebox"
import { type AnyElysia, Elysia } from "elysia"
import { nearest } from "../../base/nearest.ts"
import { isSecret, oneOf, secretRows } from "../../catalogue/kit/index.ts"
import { ConfigError, settingRows } from "../../config/config.ts"
import { callContext } from "../http/context.ts"
import { requestSchema, responseSchema } from "../http/contract.ts"
import { ApiError, invalid } from "../http/errors.ts"
import { operation } from "../http/operation.ts"
import { maybe, responseObject } from "../schemas/common.ts"
import type { AccessParts, ClientParts, CoreParts, OperationParts } from "../service-parts.ts"
import { adminPrefix } from "./prefix.ts"

const settingSchema = responseObject(
  {
    name: Type.String({ description: "Name of the setting, equal to its environment variable." }),
    value: maybe(
      Type.String({
        description: "Value as written in the environment variable; null if unset or secret.",
      }),
    ),
    isSet: Type.Boolean({ description: "Whether the value differs from the default." }),
    source: oneOf(["environment", "database", "default"], {
      description: "Source of the value. The environment takes precedence over the database.",
    }),
    locked: Type.Boolean({
      description:
        "Whether the setting cannot be changed here: it is set in the environment, or is read only at startup.",
    }),
    secret: Type.Boolean({
      description: "Whether the value is secret: encrypted at rest and never returned.",
    }),
    default: Type.String(),
    description: Type.String(),
  },
  { $id: "Setting" },
)
export type Setting = Static<typeof settingSchema>
const listSchema = responseObject({ items: Type.Array(settingSchema) }, { $id: "SettingList" })

const valueSchema = Type.Object(
  {
    value: Type.String({
      minLength: 1,
      maxLength: 20_000,
      description: "Value as written in the environment variable; lists are comma-separated.",
    }),
  },
  { additionalProperties: false },
)

interface Known {
  name: string
  fallback: string
  description: string
  changeable: boolean
  secret: boolean
}

const ofService: readonly Known[] = settingRows().map(
  ({ env, fallback, description, changeable, isSecret }) => ({
    name: env,
    fallback,
    description,
    changeable,
    secret: isSecret,
  }),
)
const ofUpstreams: readonly Known[] = secretRows().map(({ env, description, isSecret }) => ({
  name: env,
  fallback: "",
  description,
  changeable: true,
  secret: isSecret,
}))

/** @throws ApiError 404, 409 */
function changeable(name: string): Known {
  const known = [...ofService, ...ofUpstreams].find((setting) => setting.name === name)
  if (known?.changeable) return known
  if (known) {
    throw new ApiError(
      409,
      `${name} is read at startup: set it in the environment, then restart Trawl.`,
    )
  }
  if (isSecret(name)) {
    return { name, fallback: "", description: "", changeable: true, secret: true }
  }
  const near = nearest(
    name,
    [...ofService, ...ofUpstreams].map((setting) => setting.name),
  )
  const hint = near ? ` Did you mean ${near}?` : ""
  throw new ApiError(
    404,
    `There is no setting "${name.slice(0, 100)}".${hint} \`trawl config\` lists all settings.`,
  )
}

/** Settings that administrators change while the service runs. */
export function settingAdminRoutes(
  service: CoreParts & ClientParts & AccessParts & OperationParts,
): AnyElysia {
  const { settings } = service
  const reply = ({ name, fallback, description, changeable, secret }: Known) => {
    const source = settings.sourceOf(name)
    const value = settings.valueOf(name) || fallback || null
    return {
      name,
      value: secret ? null : value,
      isSet: source !== "default",
      source,
      locked: source === "environment" || !changeable,
      secret,
      default: fallback,
      description,
    }
  }
  return new Elysia({ prefix: adminPrefix })
    .use(callContext(service))
    .model({ Setting: responseSchema(settingSchema), SettingList: responseSchema(listSchema) })
    .get(
      "/settings",
      () => {
        const named = new Set([...ofService, ...ofUpstreams].map(({ name }) => name))
        const more = settings.storedNames.filter((name) => !named.has(name)).map(changeable)
        return { items: [...ofService, ...ofUpstreams, ...more].map(reply) }
      },
      {
        owner: true,
        response: { 200: "SettingList" },
        detail: operation({
          id: "adminListSettings",
          tag: "Administration",
          summary: "List all settings and upstream API keys, and their sources",
          auth: "owner",
          replies: { 200: "The settings. Secrets have no value, only whether they are set." },
        }),
      },
    )
    .put(
      "/settings/:name",
      async ({ params, body: { value } }) => {
        const known = changeable(params.name)
        await orRefused(settings.set(known.name, value, known.secret))
        service.log.info({ setting: known.name }, "a setting was changed")
        return reply(known)
      },
      {
        owner: true,
        ownerJson: true,
        params: requestSchema.params({
          name: Type.String({
            description: "Name of the setting, for example `TRAWL_FREE_DAILY`.",
          }),
        }),
        body: requestSchema.body(valueSchema),
        response: { 200: "Setting" },
        detail: operation({
          id: "adminSetSetting",
          tag: "Administration",
          summary: "Change a setting; it takes effect immediately",
          description:
            "Runs that have started keep their settings. Chrome uses new proxies after its next start.",
          auth: "owner",
          examples: { freeQuota: { value: { value: "100" } } },
          replies: { 200: "The setting." },
          refusals: [400, 404, 409],
        }),
      },
    )
    .delete(
      "/settings/:name",
      async ({ params }) => {
        const known = changeable(params.name)
        await orRefused(settings.unset(known.name))
        service.log.info({ setting: known.name }, "a setting was reset")
        return reply(known)
      },
      {
        owner: true,
        params: requestSchema.params({
          name: Type.String({
            description: "Name of the setting, for example `TRAWL_FREE_DAILY`.",
          }),
        }),
        response: { 200: "Setting" },
        detail: operation({
          id: "adminUnsetSetting",
          tag: "Administration",
          summary: "Reset a setting to the environment's value or the default",
          auth: "owner",
          replies: { 200: "The setting after the reset." },
          refusals: [400, 404, 409],
        }),
      },
    )
}

/** @throws ApiError 400, 409 */
async function orRefused(change: Promise<void>): Promise<void> {
  try {
    await change
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const { message } = error
    if (message.includes("in the environment")) throw new ApiError(409, message)
    throw invalid([{ field: "value", message, expected: "a valid value for this setting" }], "body")
  }
}
