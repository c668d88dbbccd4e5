import { bearerOf } from "../../http/access.ts"
import { ApiError } from "../../http/errors.ts"
import type { Call } from "../../service.ts"
import type { CoreParts } from "../../service-parts.ts"
import { notOffered } from "../common/refusal.ts"

type Json = Record<string, unknown>

/** Objects of a page, extracted by a schema or by the operator's model. */
export type ObjectForm = "json" | "extract" | "summary"

export interface ObjectRequest {
  form: ObjectForm
  input: { schema?: unknown; prompt?: string }
  /** Whether the object is only compared, not returned. */
  isHidden?: boolean
  warning?: string
}

/** The input that asks the model for a page's summary. */
const summary = {
  prompt:
    "Summarise the page in one paragraph, in the page's language: its subject and its main points.",
  schema: { type: "object", properties: { summary: { type: "string" } }, required: ["summary"] },
}

/** Whether a run's input requests the summary. */
export const isSummary = ({ prompt }: Json) => prompt === summary.prompt

/** Returns the features that the caller may use: the model, and options for accounts only. */
export function callerOf({ config }: CoreParts, { request }: Call) {
  const account = bearerOf(request) !== undefined
  const open = config.keylessSecrets
  const isOpen = account || open.includes("all") || open.includes("TRAWL_LLM_KEY")
  return { account, model: Boolean(config.llmUrl) && isOpen }
}

/**
 * Returns the requested object in Trawl's input format. @throws ApiError 400 if only a model could
 * return it
 */
export function objectRequest(form: ObjectForm, options: Json, model: boolean): ObjectRequest {
  if (form === "summary") {
    if (!model) throw notOffered('The format "summary"', noModel)
    return { form, input: summary }
  }
  const { schema, prompt, systemPrompt } = options
  if (schema !== undefined && (typeof schema !== "object" || schema === null)) {
    throw new ApiError(400, `The "schema" of the format "${form}" must be a JSON Schema.`)
  }
  const words = [systemPrompt, prompt].filter((one) => typeof one === "string" && one !== "")
  if (!schema && words.length === 0) {
    throw new ApiError(
      400,
      `"${form}" needs a "schema", or a "prompt" if the operator has set up a model.`,
    )
  }
  if (words.length === 0) return { form, input: { schema } }
  if (model) return { form, input: { ...(schema && { schema }), prompt: words.join("\n\n") } }
  if (!schema) throw notOffered(`The format "${form}" with only a prompt`, noModel)
  return { form, input: { schema }, warning: `The prompt was ignored: ${lowered(noModel)}` }
}

export const noModel = "It needs a model, which is not set up on this server."
const lowered = (text: string) => text[0]!.toLowerCase() + text.slice(1)

export const isObjectForm = (name: unknown): name is ObjectForm =>
  name === "json" || name === "extract" || name === "summary"

/** The object of an item under the name of its format, with a warning if fields are missing. */
export function objectOf(form: ObjectForm, extracted: unknown): Json {
  const { data, unsupported = [] } = (extracted ?? {}) as { data?: Json; unsupported?: string[] }
  return {
    [form]: form === "summary" ? data?.summary : data,
    ...(unsupported.length > 0 && {
      warning: `Not found on the page: ${unsupported.slice(0, 20).join(", ")}.`,
    }),
  }
}
