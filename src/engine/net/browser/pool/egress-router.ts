import { randomBytes } from "node:crypto"
import { systemClock } from "../../../../base/clock.ts"
import { Forbidden } from "../../../../catalogue/kit/index.ts"
import { ProxyChoice } from "../../http/proxy-choice.ts"
import { readProxyRule } from "../../http/proxy-rules.ts"
import { isCdpElsewhere } from "../lease/remote-addresses.ts"
import { EgressProxy, type Route } from "./egress-proxy.ts"
import type { LeaseRequest } from "./lease.ts"
import type { PoolSettings } from "./settings.ts"

/** A context's own egress route, if it has one. */
export interface EgressRoute {
  through?: EgressProxy
  close?(): Promise<void>
}

/** The filtering proxies, Chrome's only paths to the network. */
export class EgressRouter {
  /** Filtering proxies for direct connections and for the unlocker. */
  private readonly proxies = new Map<string, Promise<EgressProxy>>()
  private readonly choice: ProxyChoice | undefined
  private readonly password = randomBytes(24).toString("base64url")
  private readonly origins = new Set<string>()

  constructor(private readonly settings: PoolSettings) {
    const rules = settings.proxyUrls.map(readProxyRule)
    if (rules.length > 0) this.choice = new ProxyChoice(rules, systemClock)
  }

  /** Returns the password of a filtering proxy; other proxies get none. */
  readonly passwordOf = (origin: string): string | undefined =>
    this.origins.has(new URL(origin).origin) ? this.password : undefined

  /** Returns the filtering proxy for direct connections or for the unlocker; one of each. */
  proxy(unlocker = ""): Promise<EgressProxy> {
    const known = this.proxies.get(unlocker)
    if (known) return known
    const route: Route = (_host, use) => use(unlocker)
    const started = this.egress(unlocker ? route : undefined)
    this.proxies.set(unlocker, started)
    return started
  }

  /**
   * Returns the egress route of a run: through the unlocker, or through an upstream proxy chosen
   * per connection.
   */
  async of({
    unlocker,
    exit: egress,
  }: Pick<LeaseRequest, "unlocker" | "exit">): Promise<EgressRoute> {
    const { unlockerUrl, remote } = this.settings
    const { choice } = this
    // Settings with proxies are refused at startup.
    if (unlocker && unlockerUrl && remote && isCdpElsewhere(remote)) throw cannotUnlock(remote.name)
    if (unlocker && unlockerUrl) return { through: await this.proxy(unlockerUrl) }
    if (!choice) return {}
    const through = await this.egress((host, use) => choice.use(host, egress, use))
    const close = async () => {
      this.origins.delete(originOf(through))
      await through.stop()
    }
    return { through, close }
  }

  private async egress(route?: Route): Promise<EgressProxy> {
    const { resolve, checkProxied = resolve } = this.settings
    const { password } = this
    const egressFilter = await EgressProxy.start({
      password,
      resolve,
      checkProxied,
      ...(route ? { route } : {}),
    })
    this.origins.add(originOf(egressFilter))
    return egressFilter
  }

  async stop(): Promise<void> {
    for (const proxy of this.proxies.values()) await (await proxy).stop()
    this.proxies.clear()
  }
}

const cannotUnlock = (name: string) =>
  new Forbidden(
    `The browser at ${name} is a CDP endpoint on another machine, whose pages cannot use the unlocker.`,
    { code: "browser_unavailable" },
  )

const originOf = ({ port }: EgressProxy) => `http://127.0.0.1:${port}`
