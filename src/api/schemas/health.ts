import { Type } from "@sinclair/typebox"
import { fetchMethods, oneOf } from "../../catalogue/kit/index.ts"
import type { Health } from "../../engine/ops/health/health-service.ts"
import { verdicts } from "../../store/health/verdicts.ts"
import { maybe, responseObject, time } from "./common.ts"

const state = oneOf(verdicts, {
  description:
    "As callers' runs and checks show it here: `degraded` lacks fields, `blocked` is turned away by the site, `broken` is for us to mend, `needs` something that is not set up.",
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
    description: "What would have to be set up: a setting's name, Chrome, an unlocker.",
  }),
}

const fetchMethod = maybe(oneOf(fetchMethods, { description: "The fetch method." }))

export const healthSchema = responseObject(
  { ...parts, fetchMethod },
  { $id: "Health", description: "Whether the scraper works here, now." },
)

/** The same where all scrapers are listed for agents: every word is read by a model. */
export const healthBriefSchema = responseObject(
  { state, since: parts.since, reason: parts.reason },
  { $id: "HealthBrief", description: "Whether the scraper works here, now." },
)

export const briefHealth = ({ state, since, reason }: Health) => ({ state, since, reason })

const day = responseObject({
  day: Type.String({ format: "date", description: "A day (UTC)." }),
  state: maybe(oneOf(verdicts, { description: "The worst state of the day; null without data." })),
  goodShare: maybe(
    Type.Number({
      description:
        "Share of users' targets that returned items, without absent ones; null if there were none.",
    }),
  ),
})
const days = Type.Array(day, { description: "The last seven days, today at the end." })

export const healthDaysSchema = responseObject(
  { items: Type.Array(responseObject({ scraper: Type.String(), state, days })) },
  { $id: "HealthDays", description: "Of all scrapers, what the last seven days have shown." },
)

const finding = { ...parts, fetchMethod, verdict: state }
const { since: _since, checkedAt: _checkedAt, source: _source, state: _state, ...found } = finding

export const healthInFullSchema = responseObject(
  {
    ...parts,
    fetchMethod,
    latest: maybe(
      responseObject(
        { ...found, at: time("When.") },
        { description: "What the last look showed, whatever came of it." },
      ),
    ),
    methods: Type.Array(responseObject({ ...parts, fetchMethod: oneOf(fetchMethods) }), {
      description: "Health by fetch method.",
    }),
    days,
  },
  { $id: "HealthInFull", description: "Whether the scraper works here, now." },
)
