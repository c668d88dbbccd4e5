import { sweepChromeFolders } from "../chrome/chrome-folder.ts"
import { connectInstance, type Instance, startInstance } from "../chrome/instance.ts"
import { reapOrphans } from "../chrome/reaper.ts"
import { isRoot, noSandboxAdvice } from "../supply/find.ts"
import type { EgressRouter } from "./egress-router.ts"
import type { PoolSettings } from "./settings.ts"

/** Milliseconds after which orphans of a Chrome have exited and can be reaped. */
const orphansMs = 1000

/** The Chrome processes of a pool. Only this code starts or ends them. */
export class Chromes {
  private readonly instances: Instance[] = []
  private readonly ending = new Map<Instance, Promise<void>>()
  private starting?: Promise<Instance>
  private hasStarted = false

  constructor(
    private readonly settings: PoolSettings,
    private readonly egressRouter: EgressRouter,
  ) {}

  /** The running instances. */
  get all(): readonly Instance[] {
    return [...this.instances]
  }

  /** Returns an instance that accepts leases; starts one if there is none. */
  async get(): Promise<Instance> {
    const ready = this.instances.find((instance) => !instance.retired && instance.browser.connected)
    if (ready) return ready
    this.starting ??= this.start().finally(() => {
      this.starting = undefined
    })
    return this.starting
  }

  private async start(): Promise<Instance> {
    const { remote } = this.settings
    if (!this.hasStarted) this.prepare(remote === undefined)
    const instance = remote
      ? await connectInstance(this.settings, remote)
      : await startInstance(this.settings, await this.egressRouter.proxy())
    instance.gone.addEventListener("abort", () => void this.end(instance), { once: true })
    this.instances.push(instance)
    // It may have ended before the listener was added.
    if (!instance.browser.connected) await this.end(instance)
    return instance
  }

  /** Called before the first Chrome. */
  private prepare(isHere: boolean): void {
    this.hasStarted = true
    sweepChromeFolders()
    if (isHere && isRoot()) this.settings.onNote?.(noSandboxAdvice)
  }

  /** Counts a lease; the returned function releases it. */
  hold(instance: Instance): () => void {
    instance.leases++
    return () => {
      instance.leases--
      if (instance.retired && instance.leases === 0) void this.end(instance)
    }
  }

  countPage(instance: Instance): void {
    instance.pages++
    if (instance.pages >= this.settings.pagesPerChrome) instance.retired = true
  }

  end(instance: Instance): Promise<void> {
    const known = this.ending.get(instance)
    if (known) return known
    const ended = this.ended(instance).finally(() => this.ending.delete(instance))
    this.ending.set(instance, ended)
    return ended
  }

  private async ended(instance: Instance): Promise<void> {
    const at = this.instances.indexOf(instance)
    if (at >= 0) this.instances.splice(at, 1)
    await instance.end()
    for (const owner of instance.contexts.values()) await owner.close()
    instance.contexts.clear()
    // The child process has been reaped; only its orphans are left.
    setTimeout(reapOrphans, orphansMs).unref()
  }

  /** Ends all instances, including those that are starting or ending. */
  async endAll(): Promise<void> {
    await this.starting?.catch(() => {})
    await Promise.all([...this.all, ...this.ending.keys()].map((instance) => this.end(instance)))
  }
}
