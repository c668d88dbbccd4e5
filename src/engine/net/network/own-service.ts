import { request } from "node:http"
import type { ServiceFile } from "../../../store/upkeep/service-file.ts"

export interface OwnCall {
  method: string
  path: string
  body?: unknown
}

export interface OwnResponse {
  status: number
  text: string
}

/** Calls the service on this machine, without `fetch`, which would use the environment's proxy. */
export function callOwnService(
  { root, token }: ServiceFile,
  { method, path, body }: OwnCall,
): Promise<OwnResponse> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
  return new Promise((resolve, reject) => {
    const call = request(root + path, { method, headers }, (response) => {
      const parts: Buffer[] = []
      response.on("data", (part) => parts.push(part))
      response.on("error", reject)
      response.on("end", () => {
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() })
      })
    })
    call.on("error", reject)
    call.end(body === undefined ? undefined : JSON.stringify(body))
  })
}
