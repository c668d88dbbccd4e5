import { createBatch } from "./batches.ts"
import {
  claimDeliveries,
  queueDelivery,
  recordTry,
  releaseDelivery,
  replayDelivery,
} from "./deliveries.ts"
import { reserve, saveAnswer } from "./idempotency.ts"
import { dropPlannedRun } from "./planned-runs.ts"
import {
  changeSchedule,
  createSchedule,
  deleteSchedule,
  fireSchedule,
  replanSchedule,
} from "./schedules.ts"
import { deleteDataset, deleteRun, sweep } from "./trash.ts"
import { changeWebhook, createWebhook, deleteWebhook, rotateSecret } from "./webhooks.ts"

/** Changes to batches, schedules and webhooks; deletions; repeated calls. */
export const automationVerbs = {
  "idempotency.reserve": reserve,
  "idempotency.save": saveAnswer,
  "batches.create": createBatch,
  "plans.drop": dropPlannedRun,
  "schedules.create": createSchedule,
  "schedules.change": changeSchedule,
  "schedules.delete": deleteSchedule,
  "schedules.fire": fireSchedule,
  "schedules.replan": replanSchedule,
  "webhooks.create": createWebhook,
  "webhooks.change": changeWebhook,
  "webhooks.rotate": rotateSecret,
  "webhooks.delete": deleteWebhook,
  "deliveries.queue": queueDelivery,
  "deliveries.claim": claimDeliveries,
  "deliveries.release": releaseDelivery,
  "deliveries.tried": recordTry,
  "deliveries.replay": replayDelivery,
  "runs.delete": deleteRun,
  "datasets.delete": deleteDataset,
  "trash.sweep": sweep,
}
