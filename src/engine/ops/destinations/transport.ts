import type { TSchema } from "@sinclair/typebox"
import { messageOf } from "../../../base/error-message.ts"
import type { FieldLocation } from "../../../base/own-fields.ts"
import { secondMs } from "../../../base/time.ts"
import type { DestinationRow } from "../../../store/destinations/destinations.ts"
import { nextPass, type RunDeliveryRow } from "../../../store/destinations/run-deliveries.ts"
import type { ItemPosition } from "../../../store/runs/items.ts"
import { isOver, runById } from "../../../store/runs/runs.ts"
import type { Store } from "../../../store/store.ts"
import type { RunRow } from "../../../store/tables/schema.ts"
import type { SecretBox } from "../../../store/upkeep/secret-box.ts"
import { LiveTransport } from "../../net/http/live.ts"
import { type DestinationSettings, destinationFilter, refusalOf } from "./access.ts"
import { FolderObjects } from "./folder-objects.ts"
import type { DestinationOptions, DestinationSecret } from "./model/options.ts"
import { DestinationError, type Part, requestMs, type Sink } from "./model/sink.ts"
import { ObjectSink } from "./objects.ts"
import { nextPart } from "./parts.ts"
import { PostgresSink, probePostgres } from "./postgres/postgres-sink.ts"
import { S3Objects } from "./s3-objects.ts"
import { sendSigned, WebhookSink } from "./webhook-sink.ts"

/** Milliseconds after which a delivery yields to others. */
const deliveryMs = 10 * secondMs

/** How items of a run become rows. */
export interface RowShape {
  schema: TSchema
  own: FieldLocation[]
}

export interface DeliveryJob {
  destination: DestinationRow
  delivery: RunDeliveryRow
  shape: RowShape
  lease: string
}

/** Result of a turn. `lost`: another process holds the destination. */
export interface DeliveryResult {
  state: RunDeliveryRow["state"] | "lost"
  seen?: number
  /** Milliseconds until the next turn. */
  pauseMs?: number
  failure?: { message: string; isFinal: boolean; retryAfterSeconds: number | null }
}

/** Delivers items to destinations, and tests them. */
export interface DeliveryTransport {
  deliver(job: DeliveryJob, stopped: AbortSignal): Promise<DeliveryResult>
  /** Writes and removes a probe; returns the reason if that failed. */
  test(
    destination: DestinationRow,
    stopped: AbortSignal,
  ): Promise<{ milliseconds: number; error: string | null }>
}

/** The carrier that works in its own thread. */
export class LocalTransport implements DeliveryTransport {
  private readonly transport

  constructor(
    private readonly store: Store,
    private readonly secrets: SecretBox,
    private readonly settings: DestinationSettings,
    /** Default: that of the settings. */
    private readonly egress = destinationFilter(settings),
  ) {
    this.transport = new LiveTransport(this.egress)
  }

  async deliver(job: DeliveryJob, stopped: AbortSignal): Promise<DeliveryResult> {
    let secret: DestinationSecret = {}
    try {
      const { id, secret: encrypted } = job.destination
      secret = JSON.parse(this.secrets.open(encrypted, id))
      return await this.makeDelivery(job, secret, stopped)
    } catch (error) {
      if (stopped.aborted) return { state: "waiting" }
      const details = error instanceof DestinationError ? error.details : {}
      return {
        state: "waiting",
        failure: {
          message: masked(messageOf(refusalOf(error)), secret),
          isFinal: details.isFinal ?? false,
          retryAfterSeconds: details.retryAfterSeconds ?? null,
        },
      }
    }
  }

  private async makeDelivery(
    job: DeliveryJob,
    secret: DestinationSecret,
    stopped: AbortSignal,
  ): Promise<DeliveryResult> {
    const { db } = this.store
    const run = await runById(db, job.delivery.run_id)
    if (!run || run.deleted_at !== null || run.dataset_deleted_at !== null) {
      throw new DestinationError("The run or its items were deleted before they were delivered.", {
        isFinal: true,
      })
    }
    const sink = await this.sinkOf(job, secret, run)
    try {
      return await new DeliveryPass(this.store, job, run, sink, stopped).make()
    } finally {
      await sink.close()
    }
  }

  private async sinkOf(
    { destination, delivery, shape }: DeliveryJob,
    secret: DestinationSecret,
    run: RunRow,
  ): Promise<Sink> {
    const options: DestinationOptions = JSON.parse(destination.options)
    const delivering = { destination, delivery, run }
    const { format = "jsonl", path = "" } = options
    const objects = { format, schema: shape.schema }
    switch (destination.kind) {
      case "postgres":
        return PostgresSink.open(this.egress, options, secret, delivering)
      case "s3":
        return new ObjectSink(new S3Objects(this.transport, options, secret), delivering, objects)
      case "folder":
        return new ObjectSink(this.folder(path), delivering, objects)
      case "webhook":
        return new WebhookSink(this.transport, options, secret, delivering)
    }
  }

  private folder(path: string): FolderObjects {
    return new FolderObjects(this.settings.destinationFolder, path)
  }

  async test(destination: DestinationRow, stopped: AbortSignal) {
    const started = performance.now()
    let secret: DestinationSecret = {}
    let error: string | null = null
    try {
      secret = JSON.parse(this.secrets.open(destination.secret, destination.id))
      await this.probe(destination, secret, stopped)
    } catch (failure) {
      error = masked(messageOf(refusalOf(failure)), secret)
    }
    return { milliseconds: Math.round(performance.now() - started), error }
  }

  private async probe(
    { id, name, kind, options: text }: DestinationRow,
    secret: DestinationSecret,
    stopped: AbortSignal,
  ): Promise<void> {
    const options: DestinationOptions = JSON.parse(text)
    const signal = AbortSignal.any([stopped, AbortSignal.timeout(requestMs)])
    if (kind === "postgres") return probePostgres(this.egress, options, secret)
    if (kind === "webhook") {
      const message = { id: `${id}.test.${Date.now()}`, type: "test", data: { destination: name } }
      return sendSigned(this.transport, secret, message, signal)
    }
    const objects =
      kind === "s3"
        ? new S3Objects(this.transport, options, secret)
        : this.folder(options.path ?? "")
    const probe = `trawl-probe-${crypto.randomUUID()}`
    await objects.put(probe, new TextEncoder().encode("{}\n"), "application/json", signal)
    await objects.remove(probe, signal)
  }
}

/** Delivers the available parts of a run, for as long as its time lasts. */
class DeliveryPass {
  private from: ItemPosition
  private index: number
  private planned: ItemPosition | undefined
  private sentAt: string

  constructor(
    private readonly store: Store,
    private readonly job: DeliveryJob,
    private readonly run: RunRow,
    private readonly sink: Sink,
    private readonly stopped: AbortSignal,
  ) {
    const { seq, idx, parts, planned, sent_at, created_at } = job.delivery
    this.from = { seq, idx }
    this.index = parts
    this.planned = planned === null ? undefined : JSON.parse(planned)
    this.sentAt = sent_at ?? created_at
  }

  async make(): Promise<DeliveryResult> {
    if (!(await this.adopt())) return { state: "lost" }
    const { db } = this.store
    const { run, sink, job } = this
    const next = await nextPass(db, job.delivery)
    const targets = { settled: job.delivery.settled, nextSettled: next?.settled ?? null }
    const seen = run.item_count
    const until = Date.now() + deliveryMs
    while (Date.now() < until) {
      this.stopped.throwIfAborted()
      const { from, planned } = this
      const { own } = job.shape
      const request = { run, targets, own, from, bounds: sink.bounds, planned }
      const part = await nextPart(db, request)
      if (part.items.length === 0) {
        return isOver(run.status) ? { state: "delivered", seen } : { state: "waiting", seen }
      }
      const pauseMs = this.patienceFor(part)
      if (pauseMs > 0) return { state: "waiting", pauseMs }
      if (!(await this.send(part))) return { state: "lost" }
    }
    return { state: "waiting" }
  }

  /** Reads the position recorded by the destination; returns false if the lease is lost. */
  private async adopt(): Promise<boolean> {
    const recorded = await this.sink.recorded?.()
    if (!recorded) return true
    const { position, items } = recorded
    const isNone = position.seq === -1 && position.idx === -1
    if (isNone || (position.seq === this.from.seq && position.idx === this.from.idx)) return true
    return this.advanced(position, items - this.job.delivery.items, 0, [])
  }

  /** Milliseconds for which a small part waits for more items. */
  private patienceFor({ characters }: Part): number {
    const { patience } = this.sink
    if (!patience || this.planned || isOver(this.run.status)) return 0
    if (characters >= patience.characters) return 0
    return Math.max(0, Date.parse(this.sentAt) + patience.milliseconds - Date.now())
  }

  private async send(part: Part): Promise<boolean> {
    const { sink, index, stopped, store, lease } = { ...this, lease: this.leased() }
    // A destination without a recorded position gets the same part again after a failure.
    if (!sink.recorded && !(await store.write("destinations.plan", { ...lease, to: part.to }))) {
      return false
    }
    const signal = AbortSignal.any([stopped, AbortSignal.timeout(requestMs)])
    const notes = await sink.put(part, index, signal)
    return this.advanced(part.to, part.items.length, 1, notes)
  }

  private async advanced(
    to: ItemPosition,
    items: number,
    parts: number,
    notes: string[],
  ): Promise<boolean> {
    const at = new Date().toISOString()
    const { from } = this
    const change = { ...this.leased(), from, to, items, parts, notes, at }
    if (!(await this.store.write("destinations.advance", change))) return false
    this.from = to
    this.index += parts
    this.planned = undefined
    this.sentAt = at
    return true
  }

  private leased() {
    const { destination, delivery, lease } = this.job
    return { destinationId: destination.id, deliveryId: delivery.id, lease }
  }
}

/** Removes passwords and keys, which an error of a destination may repeat. */
function masked(text: string, secret: DestinationSecret): string {
  const { password = "", pathname = "", search = "" } = (secret.url && URL.parse(secret.url)) || {}
  const { secretAccessKey = "", signingSecret = "" } = secret
  const parts = [secretAccessKey, signingSecret, password, decoded(password), pathname + search]
  return parts
    .reduce((rest, part) => (part.length < 4 ? rest : rest.replaceAll(part, "…")), text)
    .slice(0, maxMessage)
}

const maxMessage = 1000

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
