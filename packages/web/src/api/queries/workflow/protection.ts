import type { components } from "@millrace/client/schema.generated.ts";
import { queryOptions } from "@tanstack/react-query";
import { api, call } from "../../client.ts";

type Schemas = components["schemas"];
export type Protection = Schemas["WorkflowProtection"];
export type TeamProtection = Schemas["TeamProtection"];
export type GlobalSecretProtection = Schemas["GlobalSecretProtection"];
export type SecretProtection = Schemas["SecretProtection"];
export type Proposal = Schemas["WorkflowProposal"];

export const protectionQuery = (team: string, workflow: string) =>
  queryOptions({
    queryKey: ["workflow", team, workflow, "protection"],
    queryFn: () => call(api.GET("/api/v2/team/{team}/workflow/{workflow}/protection", { params: { path: { team, workflow } } })),
  });

/** Newest first. They change together with their actions. */
export const proposalsQuery = (team: string, workflow: string) =>
  queryOptions({
    queryKey: ["actions", team, "proposals", workflow],
    queryFn: () => call(api.GET("/api/v2/team/{team}/workflow/{workflow}/proposal", { params: { path: { team, workflow } } })),
  });

/** The whole draft of a proposal, without secrets. */
export async function readProposal(team: string, workflow: string, action: string): Promise<Schemas["WorkflowDraft"]> {
  return call(api.GET("/api/v2/team/{team}/workflow/{workflow}/proposal/{action}", { params: { path: { team, workflow, action } } }));
}

export async function withdrawProposal(team: string, workflow: string, action: string): Promise<void> {
  await call(api.DELETE("/api/v2/team/{team}/workflow/{workflow}/proposal/{action}", { params: { path: { team, workflow, action } } }));
}

export async function protectWorkflow(team: string, workflow: string, body: Schemas["WorkflowProtectionRequest"]): Promise<Protection> {
  return call(api.PUT("/api/v2/team/{team}/workflow/{workflow}/protection", { params: { path: { team, workflow } }, body }));
}

export async function unprotectWorkflow(team: string, workflow: string): Promise<void> {
  await call(api.DELETE("/api/v2/team/{team}/workflow/{workflow}/protection", { params: { path: { team, workflow } } }));
}

/** The protected objects of a team. Invalidated together with the team. */
export const teamProtectionQuery = (team: string) =>
  queryOptions({
    queryKey: ["team", team, "protection"],
    queryFn: () => call(api.GET("/api/v2/team/{team}/protection", { params: { path: { team } } })),
  });

export async function protectTeam(team: string, body: Schemas["WorkflowProtectionRequest"]): Promise<TeamProtection> {
  return call(api.PUT("/api/v2/team/{team}/protection", { params: { path: { team } }, body }));
}

export async function unprotectTeam(team: string): Promise<void> {
  await call(api.DELETE("/api/v2/team/{team}/protection", { params: { path: { team } } }));
}

/** With the workflows that use it. */
export const secretProtectionQuery = (team: string, name: string) =>
  queryOptions({
    queryKey: ["team", team, "protection", name],
    queryFn: () => call(api.GET("/api/v2/team/{team}/parameters/{name}/protection", { params: { path: { team, name } } })),
  });

export async function protectSecret(team: string, name: string, body: Schemas["SecretProtectionRequest"]): Promise<SecretProtection> {
  return call(api.PUT("/api/v2/team/{team}/parameters/{name}/protection", { params: { path: { team, name } }, body }));
}

export async function unprotectSecret(team: string, name: string): Promise<void> {
  await call(api.DELETE("/api/v2/team/{team}/parameters/{name}/protection", { params: { path: { team, name } } }));
}

/** Which secrets of the instance are protected. */
export const protectedGlobalSecretsQuery = queryOptions({
  queryKey: ["global-parameters", "protected"],
  queryFn: () => call(api.GET("/api/v2/parameters/protection")),
});

/** Of a secret of the instance, with the workflows of all teams that use it. */
export const globalSecretProtectionQuery = (name: string) =>
  queryOptions({
    queryKey: ["global-parameters", "protection", name],
    queryFn: () => call(api.GET("/api/v2/parameters/{name}/protection", { params: { path: { name } } })),
  });

export async function protectGlobalSecret(name: string, body: Schemas["GlobalSecretProtectionRequest"]): Promise<GlobalSecretProtection> {
  return call(api.PUT("/api/v2/parameters/{name}/protection", { params: { path: { name } }, body }));
}

export async function unprotectGlobalSecret(name: string): Promise<void> {
  await call(api.DELETE("/api/v2/parameters/{name}/protection", { params: { path: { name } } }));
}
