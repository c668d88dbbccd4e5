import type { ListedSchedule, Monitor, MonitorChanges, Recipe, Run, Schedule } from "./api.js"
import { type Http, randomKey, type SignalOption } from "./http.js"
import type { Input, Slug } from "./items.js"
import { type AccountOptions, paged, part } from "./resources.js"

export interface ScheduleOptions extends AccountOptions {
  /** Five fields, for example `0 6 * * *`. */
  cron: string
  /** Default UTC. */
  timeZone?: string
  name?: string
  enabled?: boolean
  misfirePolicy?: Schedule["misfirePolicy"]
  conditions?: Monitor["conditions"]
  tags?: string[]
}

export class Schedules {
  constructor(private readonly http: Http) {}

  create<S extends Slug>(slug: S, input: Input<S>, options: ScheduleOptions): Promise<Schedule> {
    const body = { scraper: slug, input, ...options }
    const idempotencyKey = randomKey()
    return this.http.json("POST", "/api/v1/schedules", { body, idempotencyKey })
  }

  get(scheduleId: string): Promise<Schedule> {
    return this.http.json("GET", `/api/v1/schedules/${part(scheduleId)}`)
  }

  list({ signal }: SignalOption = {}): AsyncGenerator<ListedSchedule> {
    return paged(this.http, "/api/v1/schedules", {}, signal)
  }

  change(
    scheduleId: string,
    changes: Partial<ScheduleOptions> & {
      input?: Record<string, unknown>
      mutedUntil?: string | null
    },
  ): Promise<Schedule> {
    return this.http.json("PATCH", `/api/v1/schedules/${part(scheduleId)}`, { body: changes })
  }

  /** Starts a run of the schedule now. */
  run(scheduleId: string): Promise<Run> {
    const idempotencyKey = randomKey()
    return this.http.json("POST", `/api/v1/schedules/${part(scheduleId)}/run`, { idempotencyKey })
  }

  delete(scheduleId: string): Promise<void> {
    return this.http.json("DELETE", `/api/v1/schedules/${part(scheduleId)}`)
  }
}

/** The values that schedules watch. */
export class Monitors {
  constructor(private readonly http: Http) {}

  get(scheduleId: string, options: { limit?: number } = {}): Promise<Monitor> {
    return this.http.json("GET", `/api/v1/monitors/${part(scheduleId)}`, { query: options })
  }

  list(filter: { tag?: string } = {}, { signal }: SignalOption = {}): AsyncGenerator<Monitor> {
    return paged(this.http, "/api/v1/monitors", filter, signal)
  }

  /** Returns the changes, the newest first. */
  async changes(
    scheduleId: string,
    options: { limit?: number } = {},
  ): Promise<MonitorChanges["items"]> {
    const path = `/api/v1/monitors/${part(scheduleId)}/changes`
    return (await this.http.json<MonitorChanges>("GET", path, { query: options })).items
  }
}

export interface NewRecipe extends AccountOptions {
  slug: string
  name: string
  description?: string
  /** URLs that it is for, for example `https://shop.example/p/*`. */
  pattern: string
  /** Input of `web-scraper`. */
  input: Record<string, unknown>
}

export class Recipes {
  constructor(private readonly http: Http) {}

  create(recipe: NewRecipe): Promise<Recipe> {
    return this.http.json("POST", "/api/v1/recipes", { body: recipe })
  }

  get(recipeId: string): Promise<Recipe> {
    return this.http.json("GET", `/api/v1/recipes/${part(recipeId)}`)
  }

  list({ signal }: SignalOption = {}): AsyncGenerator<Recipe> {
    return paged(this.http, "/api/v1/recipes", {}, signal)
  }

  change(recipeId: string, changes: Partial<Omit<NewRecipe, "slug">>): Promise<Recipe> {
    return this.http.json("PATCH", `/api/v1/recipes/${part(recipeId)}`, { body: changes })
  }

  delete(recipeId: string): Promise<void> {
    return this.http.json("DELETE", `/api/v1/recipes/${part(recipeId)}`)
  }
}
