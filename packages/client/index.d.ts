// Written by scripts/list-client-types.ts from index.ts.
import type { Scrapers } from "./scrapers.d.ts";
export type { Scrapers };
declare const ofRecipe: unique symbol;
/** The slug of a recipe of the account. */
export type RecipeSlug = string & {
    [ofRecipe]: true;
};
export type Slug = keyof Scrapers | RecipeSlug;
type Parts<S extends Slug> = S extends keyof Scrapers ? Scrapers[S] : {
    input: Record<string, unknown>;
    item: Record<string, unknown>;
};
export type Input<S extends Slug> = Parts<S>["input"];
export type Item<S extends Slug> = Parts<S>["item"];
/**
 * Names a recipe of the account, which no type knows.
 *
 * @example await trawl.run(recipe("shop-products"), { urls: ["https://shop.example/p/1"] })
 */
export declare const recipe: (slug: string) => RecipeSlug;
/** The item of a target that failed. */
export interface ErrorItem {
    error: {
        code: string;
        message: string;
        statusCode?: number;
    };
    [field: string]: unknown;
}
export interface Run {
    id: string;
    scraper: string;
    status: "queued" | "running" | "succeeded" | "failed" | "timed_out" | "aborting" | "aborted";
    statusMessage: string | null;
    datasetId: string;
    itemCount: number;
    errorCount: number;
    pageCount: number;
    creditsCharged: number;
    createdAt: string;
    startedAt: string | null;
    finishedAt: string | null;
    error: {
        code: string;
        message: string;
    } | null;
}
export interface RunOptions {
    maxItems?: number;
    maxPages?: number;
    timeoutSeconds?: number;
    /** Repeating a start with the same key within 24 hours starts nothing twice. */
    idempotencyKey?: string;
    /** Ends the wait; the run continues. */
    signal?: AbortSignal;
}
/** A refusal, or a run that gave nothing because it failed. */
export declare class TrawlError extends Error {
    /** Of the answer; 0 for a run that failed. */
    readonly status: number;
    readonly details?: unknown | undefined;
    name: string;
    constructor(
    /** Of the answer; 0 for a run that failed. */
    status: number, message: string, details?: unknown | undefined);
}
export interface TrawlOptions {
    /** Default http://127.0.0.1:8080. */
    baseUrl?: string;
    apiKey: string;
    /** Default the runtime's. */
    fetch?: (request: Request) => Promise<Response>;
}
export declare class Trawl {
    private readonly baseUrl;
    private readonly apiKey;
    private readonly fetch;
    constructor({ baseUrl, apiKey, fetch: send }: TrawlOptions);
    /** Runs a scraper to its end, and reads all that it gave. @throws TrawlError */
    run<S extends Slug>(slug: S, input: Input<S>, options?: RunOptions): Promise<{
        run: Run;
        items: Item<S>[];
        errors: ErrorItem[];
    }>;
    /** Starts a run: it is on disk when this resolves. @throws TrawlError */
    start<S extends Slug>(slug: S, input: Input<S>, { idempotencyKey, signal, ...caps }?: RunOptions): Promise<Run>;
    /** Returns the run once it has finished. @throws TrawlError */
    wait(runId: string, { signal }?: Pick<RunOptions, "signal">): Promise<Run>;
    /** Yields the items of a dataset, including error items. @throws TrawlError */
    items<S extends Slug>(datasetId: string, { signal }?: Pick<RunOptions, "signal">): AsyncGenerator<Item<S> | ErrorItem>;
    abort(runId: string): Promise<Run>;
    private call;
}
export declare function isErrorItem(item: unknown): item is ErrorItem;
