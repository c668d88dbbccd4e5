import { OtherService } from "../../engine/net/network/other-service.ts"
import { BadUse } from "../common/bad-use.ts"

/** Returns the server of `--remote` with `--key`. @throws BadUse */
export function remoteService(url: string, key = process.env.TRAWL_API_KEY): OtherService {
  if (!key) throw new BadUse("--remote requires an API key: set --key or TRAWL_API_KEY.")
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw new BadUse(`--remote must be a URL such as https://trawl.example.com, not ${url}.`)
  }
  return new OtherService(url, key)
}
