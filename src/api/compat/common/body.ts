import { readJson } from "../../http/body.ts"
import { ApiError } from "../../http/errors.ts"
import type { Call } from "../../service.ts"

/** @throws ApiError 400, 408, 413, 415 */
export async function bodyOf({ request }: Call): Promise<Record<string, unknown>> {
  const body = await readJson(request)
  if (typeof body === "object" && body !== null && !Array.isArray(body)) {
    return body as Record<string, unknown>
  }
  throw new ApiError(400, "The body must be a JSON object, for example {}.")
}
