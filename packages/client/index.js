// Written by scripts/list-client-types.ts from index.ts.
/**
 * Names a recipe of the account, which no type knows.
 *
 * @example await trawl.run(recipe("shop-products"), { urls: ["https://shop.example/p/1"] })
 */
export const recipe = (slug) => slug;
/** A refusal, or a run that gave nothing because it failed. */
export class TrawlError extends Error {
    status;
    details;
    name = "TrawlError";
    constructor(
    /** Of the answer; 0 for a run that failed. */
    status, message, details) {
        super(message);
        this.status = status;
        this.details = details;
    }
}
const over = new Set(["succeeded", "failed", "timed_out", "aborted"]);
/** Seconds of one wait. Reverse proxies close connections that are idle for longer. */
const waitSeconds = 50;
const pageSize = 1000;
export class Trawl {
    baseUrl;
    apiKey;
    fetch;
    constructor({ baseUrl = "http://127.0.0.1:8080", apiKey, fetch: send = fetch }) {
        this.baseUrl = baseUrl.replace(/\/+$/, "");
        this.apiKey = apiKey;
        this.fetch = send;
    }
    /** Runs a scraper to its end, and reads all that it gave. @throws TrawlError */
    async run(slug, input, options = {}) {
        const started = await this.start(slug, input, options);
        const run = await this.wait(started.id, options);
        const items = [];
        const errors = [];
        for await (const item of this.items(run.datasetId, options)) {
            if (isErrorItem(item))
                errors.push(item);
            else
                items.push(item);
        }
        if (run.status !== "succeeded" && items.length === 0) {
            const why = run.error?.message ?? errors[0]?.error.message ?? "It says nothing more.";
            throw new TrawlError(0, `The run ${run.id} ended ${run.status}: ${why}`, { run, errors });
        }
        return { run, items, errors };
    }
    /** Starts a run: it is on disk when this resolves. @throws TrawlError */
    start(slug, input, { idempotencyKey, signal, ...caps } = {}) {
        return this.call("POST", `/scrapers/${slug}/runs`, {
            query: caps,
            body: input,
            headers: idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey },
            signal,
        });
    }
    /** Returns the run once it has finished. @throws TrawlError */
    async wait(runId, { signal } = {}) {
        for (;;) {
            const query = { waitForFinish: waitSeconds };
            const run = await this.call("GET", `/runs/${runId}`, { query, signal });
            if (over.has(run.status))
                return run;
        }
    }
    /** Yields the items of a dataset, including error items. @throws TrawlError */
    async *items(datasetId, { signal } = {}) {
        for (let offset = 0, total = 1; offset < total; offset += pageSize) {
            const query = { limit: pageSize, offset };
            const page = await this.call("GET", `/datasets/${datasetId}/items`, { query, signal });
            total = page.total;
            yield* page.items;
        }
    }
    abort(runId) {
        return this.call("POST", `/runs/${runId}/abort`);
    }
    async call(method, path, requested = {}) {
        const { query = {}, body, headers = {}, signal } = requested;
        const url = new URL(`${this.baseUrl}/api/v1${path}`);
        for (const [name, value] of Object.entries(query)) {
            if (value !== undefined)
                url.searchParams.set(name, String(value));
        }
        const request = new Request(url, {
            method,
            headers: {
                authorization: `Bearer ${this.apiKey}`,
                ...(body === undefined ? {} : { "content-type": "application/json" }),
                ...headers,
            },
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
            ...(signal && { signal }),
        });
        const response = await this.fetch(request);
        const text = await response.text();
        const reply = textAsJson(text);
        if (response.ok && reply !== undefined)
            return reply;
        const { message, details } = reply?.error ?? {};
        throw new TrawlError(response.status, message ?? `The service answered ${response.status}.`, details);
    }
}
function textAsJson(text) {
    try {
        return JSON.parse(text);
    }
    catch {
        return undefined;
    }
}
export function isErrorItem(item) {
    const { error } = item;
    return typeof error === "object" && error !== null && typeof error.code === "string";
}
