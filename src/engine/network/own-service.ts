import { request } from "node:http"
import type { ServiceFile } from "../../store/upkeep/service-file.ts"

export interface OwnCall {
  method: string
  path: string
  body?: unknown
}

export interface OwnAnswer {
  status: number
  text: string
}

/**
 * Calls the service on this machine. Not by `fetch`, which would use the environment's proxy.
 */
export function callOwnService(
  { root, token }: ServiceFile,
  { method, path, body }: OwnCall,
): Promise<OwnAnswer> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
  return new Promise((resolve, reject) => {
    const call = request(root + path, { method, headers }, (answer) => {
      const parts: Buffer[] = []
      answer.on("data", (part) => parts.push(part))
      answer.on("error", reject)
      answer.on("end", () => {
        resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(parts).toString() })
      })
    })
    call.on("error", reject)
    call.end(body === undefined ? undefined : JSON.stringify(body))
  })
}
