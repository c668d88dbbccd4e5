import { Type } from "@sinclair/typebox"
import { fetchMethods, oneOf } from "../../catalogue/kit/index.ts"
import type { Health } from "../../engine/ops/health/health-service.ts"
import { verdicts } from "../../store/health/verdicts.ts"
import { maybe, responseObject, time } from "./common.ts"

const state = oneOf(verdicts, {
  description:
    "Health on this server, from users' runs and health probes. `degraded`: fields are missing. `blocked`: the site refuses requests. `broken`: Trawl needs an update. `needs`: something is not set up.",
})
const parts = {
  state,
  since: maybe(time("Start of the current state.")),
  checkedAt: maybe(time("Last run of its health probe.")),
  source: maybe(oneOf(["traffic", "probe"], { description: "Source of the state." })),
  reason: maybe(Type.String({ description: "The reason, in a sentence." })),
  vendor: maybe(Type.String({ description: "Vendor of the bot protection that blocks it." })),
  fields: Type.Array(Type.String(), { description: "Fields that are missing or wrong." }),
  needs: Type.Array(Type.String(), {
    description: "Missing setup: the name of a setting, Chrome, or an unlocker.",
  }),
}

const fetchMethod = maybe(oneOf(fetchMethods, { description: "The fetch method." }))

export const healthSchema = responseObject(
  { ...parts, fetchMethod },
  { $id: "Health", description: "Whether the scraper works on this server now." },
)

/** A shorter form for the list of all scrapers, because a model reads every word. */
export const healthBriefSchema = responseObject(
  { state, since: parts.since, reason: parts.reason },
  { $id: "HealthBrief", description: "Whether the scraper works on this server now." },
)

export const briefHealth = ({ state, since, reason }: Health) => ({ state, since, reason })

const day = responseObject({
  day: Type.String({ format: "date", description: "A day (UTC)." }),
  state: maybe(oneOf(verdicts, { description: "The worst state of the day; null without data." })),
  goodShare: maybe(
    Type.Number({
      description:
        "Share of users' targets that returned items, without targets that do not exist; null if there were none.",
    }),
  ),
})
const days = Type.Array(day, { description: "The last seven days, ending today." })

export const healthDaysSchema = responseObject(
  { items: Type.Array(responseObject({ scraper: Type.String(), state, days })) },
  { $id: "HealthDays", description: "Health of all scrapers over the last seven days." },
)

const finding = { ...parts, fetchMethod, verdict: state }
const { since: _since, checkedAt: _checkedAt, source: _source, state: _state, ...details } = finding

export const healthInFullSchema = responseObject(
  {
    ...parts,
    fetchMethod,
    latest: maybe(
      responseObject(
        { ...details, at: time("Time of the check.") },
        { description: "Result of the last health probe." },
      ),
    ),
    methods: Type.Array(responseObject({ ...parts, fetchMethod: oneOf(fetchMethods) }), {
      description: "Health by fetch method.",
    }),
    days,
  },
  { $id: "HealthInFull", description: "Whether the scraper works on this server now." },
)
