import { readRemoteAddress } from "./lease/remote-addresses.ts"
import { Fleet } from "./pool/fleet.ts"
import type { Leasing } from "./pool/leasing.ts"
import { BrowserPool } from "./pool/pool.ts"
import type { LeasingSettings } from "./pool/settings.ts"
import { ServedRemote } from "./served/client.ts"

/** Opens a local Chrome, or the configured remote browsers. */
export function openLeasing({ chromeWs, ...settings }: LeasingSettings): Leasing {
  if (chromeWs.length === 0) return new BrowserPool(settings)
  const members = chromeWs.map(readRemoteAddress).map((address) => ({
    ...address,
    remote:
      address.token === undefined
        ? new BrowserPool({ ...settings, remote: address })
        : new ServedRemote(address, settings.identity),
  }))
  return new Fleet(members, settings.tabs, settings.onNote)
}
