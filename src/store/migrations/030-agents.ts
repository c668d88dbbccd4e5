/**
 * What a check remembers for anonymous callers belongs to each of them, so that what all shared is dropped.
 * An agent that asks again before its user has signed up gets the claim that is open.
 */
export const sql = `
ALTER TABLE runs ADD COLUMN memory_owner TEXT;
DELETE FROM memory WHERE owner = '' AND slug IN ('price-monitor', 'page-change-monitor', 'keyword-monitor');
CREATE INDEX memory_of_agents ON memory (updated_at) WHERE substr(owner, 1, 6) = 'agent:';
ALTER TABLE claims ADD COLUMN agent_hash TEXT;
ALTER TABLE claims ADD COLUMN secrets TEXT;
CREATE INDEX claims_by_agent ON claims (agent_hash) WHERE agent_hash IS NOT NULL;
`
