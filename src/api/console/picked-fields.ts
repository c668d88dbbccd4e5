import { Type } from "@sinclair/typebox"
import type { Tenant } from "../../base/fair-gate.ts"
import { documentsHere } from "../../engine/net/documents/host.ts"
import type { Picked } from "../../engine/net/documents/picked-fields.ts"
import { checked, parseJson, readBytes, requireType } from "../http/body.ts"
import { ApiError, tooMany } from "../http/errors.ts"

const maxBytes = 8 * 1024 * 1024
const withinMs = 60_000

const pickedBody = Type.Object({
  html: Type.String({ maxLength: maxBytes, description: "HTML of the page." }),
  url: Type.String({ maxLength: 4000, description: "URL of the page." }),
  fields: Type.Array(
    Type.Object({
      name: Type.String({ maxLength: 100 }),
      take: Type.String({ maxLength: 1100, description: "`selector @attribute`." }),
    }),
    { minItems: 1, maxItems: 20 },
  ),
  rows: Type.String({ maxLength: 1000, description: "Selector of the rows, or empty." }),
})

/**
 * Returns the values of picked fields on a given page, as a run would extract them: the browser's
 * parser differs from the service's. Nothing is fetched. @throws ApiError 400, 413, 415
 */
export async function pickedFields(request: Request, tenant: Tenant): Promise<Picked> {
  requireType(request, "application/json")
  const bytes = await readBytes(request, { max: maxBytes, withinMs })
  const source = checked(pickedBody, parseJson(new TextDecoder().decode(bytes)))
  try {
    return await documentsHere().picked({ ...source, tenant }, request.signal)
  } catch (error) {
    const { code, message } = error as { code?: unknown; message: string }
    if (code === "too_many_waiting") throw tooMany(5, message)
    throw code === "too_large" ? new ApiError(413, message) : error
  }
}
