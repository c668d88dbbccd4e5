import { ApiError } from "../../http/errors.ts"
import { bearerOf } from "../../http/guard.ts"
import type { Call } from "../../service.ts"
import type { CoreParts } from "../../service-parts.ts"
import { notOffered } from "../common/refusal.ts"

type Json = Record<string, unknown>

/** Objects of a page: by a schema alone, or by the operator's model. */
export type ObjectForm = "json" | "extract" | "summary"

export interface ObjectRequest {
  form: ObjectForm
  input: { schema?: unknown; prompt?: string }
  /** Its object is compared, and not shown. */
  isHidden?: boolean
  warning?: string
}

/** The summary of a page, as a question to the model. */
const summary = {
  prompt:
    "Summarise the page in one paragraph of its own language: what it is about and what it says.",
  schema: { type: "object", properties: { summary: { type: "string" } }, required: ["summary"] },
}

/** Whether a run's input asks for the summary. */
export const isSummary = ({ prompt }: Json) => prompt === summary.prompt

/** Returns what the caller may use: the model, and the options that only accounts have. */
export function callerOf({ config }: CoreParts, { request }: Call) {
  const account = bearerOf(request) !== undefined
  const open = config.keylessSecrets
  const isOpen = account || open.includes("all") || open.includes("TRAWL_LLM_KEY")
  return { account, model: Boolean(config.llmUrl) && isOpen }
}

/** What a form asks for, in our words. @throws ApiError 400 where only a model could give it */
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
    throw new ApiError(400, `The format "${form}" needs a "schema", or a "prompt" for a model.`)
  }
  if (words.length === 0) return { form, input: { schema } }
  if (model) return { form, input: { ...(schema && { schema }), prompt: words.join("\n\n") } }
  if (!schema) throw notOffered(`The format "${form}" by a prompt alone`, noModel)
  return { form, input: { schema }, warning: `The prompt has no effect here: ${lowered(noModel)}` }
}

export const noModel =
  "It needs a model, which the operator has not set up for this call (TRAWL_LLM_URL)."
const lowered = (text: string) => text[0]!.toLowerCase() + text.slice(1)

export const isObjectForm = (name: unknown): name is ObjectForm =>
  name === "json" || name === "extract" || name === "summary"

/** The object of an item, under the form's name, and what is to be known of it. */
export function objectOf(form: ObjectForm, extracted: unknown): Json {
  const { data, unsupported = [] } = (extracted ?? {}) as { data?: Json; unsupported?: string[] }
  return {
    [form]: form === "summary" ? data?.summary : data,
    ...(unsupported.length > 0 && {
      warning: `The page does not hold: ${unsupported.slice(0, 20).join(", ")}.`,
    }),
  }
}
