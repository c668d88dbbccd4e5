import { type Static, Type } from "@sinclair/typebox"
import { FieldError } from "../../extract/page/index.ts"
import {
  type Field,
  fitted,
  issueOf,
  missingIn,
  readSchema,
  readTyped,
  SchemaError,
  unsupportedIn,
} from "../../extract/typed/index.ts"
import {
  BadInput,
  type Context,
  inputs,
  itemObject,
  items,
  namingInput,
  plainSchemaAs,
  type UpstreamResponse,
} from "../kit/index.ts"

const requested = Type.Object(
  {
    schema: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description:
            "JSON Schema of an object. Hints of a field: x-selector (CSS, for example `a @href`), x-jsonld (a path), x-labels.",
        },
      ),
    ),
    prompt: inputs.optionalText(
      "Request in words, for the operator's model; an error if there is none.",
      { minLength: 1, maxLength: 5000 },
    ),
    model: items.optionalBoolean("Whether the model also reads the fields of the schema."),
    evidence: items.optionalBoolean("Whether to also return the location of each value."),
  },
  {
    additionalProperties: false,
    [plainSchemaAs]: "schema",
    description:
      'JSON Schema of the data to extract from the page\'s structured data, labels, tables and lists; no model reads it unless requested. Rows: {"type":"object","properties":{"rows":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"price":{"type":"number"}}}}}}.',
  },
)

export const extractInput = Type.Optional(requested)
type Requested = Static<typeof requested>

export const extractedField = Type.Optional(
  items.requiredObject("With extract: typed data of the page.", {
    data: items.valuesByName("Extracted data in the form of the schema."),
    missing: items.texts(
      "Paths of values that the page does not contain, for example price or reviews[].date.",
    ),
    evidence: Type.Optional(
      Type.Record(Type.String(), itemObject({ source: Type.String(), at: Type.String() }), {
        description: "Location of each value on the page, by the value's path.",
      }),
    ),
    unsupported: Type.Optional(
      items.texts("With a model: paths of values that the page does not contain."),
    ),
    modelUsage: Type.Optional(
      items.requiredObject("With a model: its requests, tokens and cost.", {
        model: items.requiredText("Name of the model."),
        inputTokens: items.integer("Number of input tokens, as the model's server counts them."),
        outputTokens: items.integer("Number of output tokens, as the model's server counts them."),
        cost: items.number("Cost as the model's server states it."),
        requests: items.requiredInteger("Number of requests to the model."),
        truncated: items.requiredBoolean(
          "Whether the model received only the beginning of the page.",
        ),
      }),
    ),
  }),
)

export type Extraction = NonNullable<ReturnType<typeof extractionOf>>

/**
 * Returns the checked `extract` input; null if nothing is to be extracted. Throws BadInput with the
 * position in the schema.
 */
export function extractionOf(requested: Requested | undefined) {
  if (requested === undefined) return null
  const { schema, prompt, model } = requested
  if (schema === undefined && prompt === undefined) {
    throw new BadInput("extract: requires a schema, or a prompt for a model.")
  }
  if (prompt !== undefined && model === false) {
    throw new BadInput("extract: only a model reads prompt. Remove prompt or model: false.")
  }
  const field =
    schema === undefined ? null : namingInput("extract", () => readSchema(schema), SchemaError)
  return { field, byModel: prompt !== undefined || model === true, request: requested }
}

/** Returns the data extracted from a page. `text` is the part that a model reads. */
export async function extracted(
  { field, byModel, request: requested }: Extraction,
  response: UpstreamResponse,
  text: string,
  ctx: Context,
) {
  const { document, url } = response
  if (!byModel) return bySchema(field!, response, requested.evidence === true)
  const { value, usage } = await ctx.callModel({
    prompt: requested.prompt ?? null,
    schema: requested.schema ?? null,
    page: text,
    url,
    check: (value) => (field ? issueOf(value, field) : null),
  })
  const data = field ? (fitted(value, field) as typeof value) : value
  return {
    data,
    missing: field ? missingIn(data, field).slice(0, maxPaths) : [],
    unsupported: unsupportedIn(data, field, document, url),
    modelUsage: usage,
  }
}

const maxPaths = 500

/** Returns the data from the page without a model. Throws BadInput for a slow selector. */
export function bySchema(field: Field, { document, url }: UpstreamResponse, withEvidence: boolean) {
  const read = () => readTyped(document, url, field)
  const { evidence, ...rest } = namingInput("extract", read, FieldError)
  return withEvidence ? { ...rest, evidence } : rest
}
