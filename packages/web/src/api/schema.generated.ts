// Made from packages/server/openapi.json; not to be written by hand. 8b278b1bf9c9cfc7cb2c33c78c7f0a5460b128e11858ab8d9f95a667f637264b

export interface paths {
    "/api/v2/team": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a team
         * @description The user who creates a team is its owner. A token that acts as itself names owners in `members`.
         *
         *     Needs any credential.
         */
        post: operations["createTeam"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/team/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find teams
         * @description Needs any credential.
         */
        get: operations["queryTeams"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/team/roles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the roles that a member can have
         * @description Needs any credential.
         */
        get: operations["listRoles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/team/quotas/default": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the quotas of teams that have none of their own
         * @description Needs any credential.
         */
        get: operations["getDefaultQuotas"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/team/validate-name": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check whether a team can have that name
         * @description Answers the slug under which the team would be stored; 422 when that is taken or reserved.
         *
         *     Needs any credential.
         */
        post: operations["validateTeamName"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/team/{team}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a team
         * @description Needs the permission `team/read`.
         */
        get: operations["getTeam"];
        put?: never;
        post?: never;
        /**
         * Delete a team
         * @description The team, everything in it and its tokens are gone at once, and its runs are cancelled; the rows are purged in the background. With `force=false` it is a 409 while there are runs that are not over.
         *
         *     Needs the permission `team/delete`.
         */
        delete: operations["deleteTeam"];
        options?: never;
        head?: never;
        /**
         * Change a team
         * @description Only what is given changes. Labels are merged (null removes one); parameters, members and approver groups are added, or replaced by name or person. Nobody gives or takes a role that permits more than their own. Approver groups need team/grant, retention needs team/delete. Only an administrator sets quotas above the instance's default.
         *
         *     Needs the permission `team/write`.
         */
        patch: operations["changeTeam"];
        trace?: never;
    };
    "/api/v2/team/{team}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove members from a team
         * @description Each is named by id or email; who is not a member is ignored. The last owner can't be removed.
         *
         *     Needs the permission `team/delete`.
         */
        delete: operations["deleteMembers"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/team/{team}/approvers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete approver groups of a team
         * @description Each is named by id or name; unknown ones are ignored. 409 while open actions wait for one of them, since nobody else may decide those; then none is deleted.
         *
         *     Needs the permission `team/grant`.
         */
        delete: operations["deleteApprovers"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/team/{team}/parameters/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a parameter of a team
         * @description Needs the permission `team/delete`.
         */
        delete: operations["deleteTeamParameter"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/team/{team}/leave": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Leave a team
         * @description The caller is no longer a member. The last owner can't leave.
         *
         *     Needs any credential.
         */
        delete: operations["leaveTeam"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/team/{team}/quotas": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Give a team the instance's default quotas again
         * @description Needs the permission `team/delete`.
         */
        delete: operations["resetQuotas"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/user/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find users
         * @description Needs the permission `user/read`.
         */
        get: operations["queryUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/user/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a user
         * @description Needs the permission `user/read`.
         */
        get: operations["getUser"];
        put?: never;
        post?: never;
        /**
         * Delete a user
         * @description His tokens and sessions end; votes and audit records keep his name. Refused while he belongs to a team, for the last active administrator, for oneself, and for a user who may do more than the caller. Where people come from an identity provider, he is made anew when he signs in again: to keep him out set his status to inactive.
         *
         *     Needs the permission `user/delete`.
         */
        delete: operations["deleteUser"];
        options?: never;
        head?: never;
        /**
         * Change a user
         * @description Only what is given changes; labels are merged (null removes one). Nobody changes his own type or status, nor those of a user who may do more than he, nor gives a type that may do more. The last active administrator stays. A user who is no longer active is signed out at once, and his tokens do not work. `identity` says who signs in as the user by OpenID Connect; that takes an administrator.
         *
         *     Needs the permission `user/write`.
         */
        patch: operations["changeUser"];
        trace?: never;
    };
    "/api/v2/user/{userId}/password-code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a code by which a user sets a password
         * @description For somebody who has forgotten his password, or has none yet. Good once, for 24 hours; a new one takes the place of the last. Give it to him by a way that is yours to choose. Only for administrators, since whoever has the code can act as the user. 409 for a user who was deactivated.
         *
         *     Needs the permission `user/write`.
         */
        post: operations["makePasswordCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the own profile
         * @description Who the caller is, the teams he belongs to and what he may do. 403 for a token that acts as itself. With MILLRACE_AUTH=off it is that of an administrator who is in no table.
         *
         *     Needs any credential.
         */
        get: operations["getProfile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the own profile
         * @description Name, display name, labels and settings; only what is given changes. Another type or status than the present one is a 403, another email address a 400.
         *
         *     Needs any credential.
         */
        patch: operations["changeProfile"];
        trace?: never;
    };
    "/api/v2/auth/methods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the ways to sign in
         * @description Needs no credential.
         */
        get: operations["listSignInMethods"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/auth/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change the own password
         * @description All other sessions of the user end. 409 for an account without a password: an administrator makes a code for a first one.
         *
         *     Needs any credential.
         */
        put: operations["changePassword"];
        /**
         * Sign in with a password
         * @description Begins a session: its cookie is in the answer, beside the profile. 401 when address and password do not go together, whatever the reason; 429 after ten failures for one account, or a hundred from one address, in a quarter of an hour.
         *
         *     Needs no credential.
         */
        post: operations["signInWithPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/auth/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in to the user interface with an access token
         * @description Puts the token of `Authorization: Bearer TOKEN` into the cookie of the session, for as long as a session lasts. Writes with it must come from a page of the same origin, as with every cookie.
         *
         *     Needs any credential.
         */
        post: operations["signInWithToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/auth/caller": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read who the caller is and what he may do
         * @description For every kind of credential, also for tokens that act as themselves and have no profile.
         *
         *     Needs any credential.
         */
        get: operations["getCaller"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/auth/password/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set a password by a code of an administrator
         * @description The code counts once. All sessions of the user end; an invited user becomes active. Sign in with the new password afterwards.
         *
         *     Needs no credential.
         */
        post: operations["resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/auth/oidc/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sign in by OpenID Connect
         * @description Sends the browser to the identity provider, which sends it back to `/api/v2/auth/oidc/callback` within ten minutes. 409 when none is configured, 503 while it does not answer.
         *
         *     Needs no credential.
         */
        get: operations["startOidc"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/auth/oidc/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Come back from the identity provider
         * @description Begins a session for the person whom the provider names by issuer and subject, and sends the browser on. The user is made at first sight; one who was invited, by a verified address, becomes active, one who was deactivated is refused, and so is another subject with the address of a user, until an administrator agrees. Good only in the browser that began, once, for ten minutes.
         *
         *     Needs no credential.
         */
        get: operations["finishOidc"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/auth/sign-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign out
         * @description Ends the session of the cookie and removes the cookie. Done also when there is no session any more.
         *
         *     Needs no credential.
         */
        post: operations["signOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the own sessions
         * @description The browsers in which the caller is signed in, the newest first. Administrators find those of others by `GET /api/v2/token/query?types=session`.
         *
         *     Needs any credential.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/auth/sessions/{sessionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End a session
         * @description An own one; or, for who may change users, anybody's who may not do more than the caller. The browser is signed out at once.
         *
         *     Needs any credential.
         */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a token
         * @description The token is shown in this answer and never again. It permits no more than its maker may do, and ends no later than the token that made it. A user token follows the roles of its user, narrowed to `permissions` where they are given. An administrator who makes one for a user that was invited by address lets that user in.
         *
         *     Needs any credential.
         */
        post: operations["createToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/token/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find tokens
         * @description The caller's own ones, and those of the teams whose tokens he may read. The tokens themselves are never shown.
         *
         *     Needs any credential.
         */
        get: operations["queryTokens"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/token/{tokenId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a token
         * @description Needs any credential.
         */
        delete: operations["deleteToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/team/{team}/workflow": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Create a workflow, or write a new version of it
         * @description The workflow is found by the name in the body. What is versioned is taken entirely from the body, the rest where it is given.
         *
         *     Needs the permission `workflow/write`.
         */
        put: operations["applyWorkflow"];
        /**
         * Create a workflow
         * @description The document is described in docs/workflows.md; only `name` is needed.
         *
         *     Needs the permission `workflow/write`.
         */
        post: operations["createWorkflow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/team/{team}/workflow/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a workflow without saving it
         * @description The rules are those of a save, and all that is wrong is told at once, each with its node where it has one. Without an entry of severity `error` it could be saved.
         *
         *     Needs the permission `workflow/read`.
         */
        post: operations["validateWorkflow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/team/{team}/workflow/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find workflows
         * @description A page of the latest versions, by date of creation unless `sortBy` says otherwise; those that have no runs to be sorted by come last. What tells of runs (`withRuns`, `sortBy` lastRun and successRate) takes workflowrun/read as well. A page of more than 32 MiB is refused: ask for a smaller one.
         *
         *     Needs the permission `workflow/read`.
         */
        get: operations["queryWorkflows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/team/{team}/workflow/{workflow}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a workflow
         * @description Secrets are empty, with `hiddenValue`. The ETag is for If-Match of a write.
         *
         *     Needs the permission `workflow/read`.
         */
        get: operations["getWorkflow"];
        put?: never;
        post?: never;
        /**
         * Delete a workflow with its runs, schedules and tokens
         * @description Its runs that are not over are cancelled. With `force=false` it is a 409 while there are any.
         *
         *     Needs the permission `workflow/delete`.
         */
        delete: operations["deleteWorkflow"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/team/{team}/workflow/{workflow}/compose": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a workflow as the canvas of a designer
         * @description Needs the permission `workflow/read`.
         */
        get: operations["getWorkflowCanvas"];
        /**
         * Write a workflow as the canvas of a designer
         * @description The path names the workflow, which is created when there is none; another `name` in the body is refused.
         *
         *     Needs the permission `workflow/write`.
         */
        put: operations["applyWorkflowCanvas"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/team/{team}/workflow/{workflow}/duplicate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Copy a workflow
         * @description The latest version, its secrets and triggers included, under the first free name of NAME-duplicate, NAME-duplicate-2, …
         *
         *     Needs the permission `workflow/write`.
         */
        post: operations["duplicateWorkflow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/team/{team}/workflow/{workflow}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the latest version of a workflow as a file
         * @description Without id and secrets. POST or PUT the file to create the workflow elsewhere.
         *
         *     Needs the permission `workflow/read`.
         */
        get: operations["exportWorkflow"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/team/{team}/workflow/{workflow}/webhook-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Say whether webhooks for a workflow can be signed, and since when
         * @description The secret itself is shown only when it is made.
         *
         *     Needs the permission `workflow/read`.
         */
        get: operations["getWebhookSecret"];
        /**
         * Make or replace the secret that webhooks for a workflow are signed with
         * @description The secret is shown in this answer and never again. Who signs with it needs no token, and reaches this workflow only. One that is replaced is good for 24 hours more; delete it first if it has become known.
         *
         *     Needs the permission `workflow/write`.
         */
        put: operations["makeWebhookSecret"];
        post?: never;
        /**
         * Delete the secret that webhooks for a workflow are signed with
         * @description What it has signed is refused from now on, as is what the one before it has signed. Without a secret nothing happens.
         *
         *     Needs the permission `workflow/write`.
         */
        delete: operations["deleteWebhookSecret"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/team/{team}/workflow/{workflow}/available-parameters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what can be written between $( and ) in a workflow
         * @description Needs the permission `workflow/read`.
         */
        get: operations["listAvailableParameters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/team/{team}/workflow/{workflow}/changelog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who changed a workflow, when and why, version by version
         * @description Needs the permission `workflow/read`.
         */
        get: operations["listWorkflowChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/team/{team}/workflow/{workflow}/submit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Submit a run of a workflow
         * @description Records the run with all its task runs. By default it waits in the queue for an engine and for the team's quota of concurrent runs. With start=true it starts in the same transaction, or is refused with 429 when the quota is used up. The answer has no `tasks`; read the run for them. With `wait` the run is recorded, and answered when it is over; this needs the permission `workflowrun/read` as well. An Idempotency-Key never makes a second run: it may be sent again to wait on.
         *
         *     Needs the permission `workflow/action`.
         */
        post: operations["submitWorkflow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/team/{team}/workflow/{workflow}/trigger/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test whether something fits a trigger, without starting anything
         * @description Says for each condition and filter of the trigger whether it holds for the given event, payload or run that has ended, by the rules by which it starts runs. Members in `trigger` stand in place of those that are saved. `submission` is what to send to `submit` for a run as if it had come. A run of the kind `workflow` needs workflowrun/read, too.
         *
         *     Needs the permission `workflow/read`.
         */
        post: operations["testTrigger"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/team/{team}/workflowrun/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find runs
         * @description A page of runs by date of creation, without their task runs.
         *
         *     Needs the permission `workflowrun/read`.
         */
        get: operations["queryRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/team/{team}/workflowrun/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count runs by status
         * @description Needs the permission `workflowrun/read`.
         */
        get: operations["countRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/team/{team}/workflowrun/{runId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a run
         * @description With its task runs and their attempts. What waits says in `waitingFor` what it waits for, in words with names. With `wait` the answer is held back until the run is over.
         *
         *     Needs the permission `workflowrun/read`.
         */
        get: operations["getRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the labels of a run
         * @description Also of a run that is over. A run with the label `keep` is never removed for its age, whatever the label's value but `false`. 410 when its removal has begun.
         *
         *     Needs the permission `workflowrun/action`.
         */
        patch: operations["changeRun"];
        trace?: never;
    };
    "/api/v2/team/{team}/workflowrun/{runId}/followups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what the end of a run started
         * @description A page: for each workflow whose trigger `workflow` the end of the run fits, the run that was submitted, or why there is none. Kept for 90 days.
         *
         *     Needs the permission `workflowrun/read`.
         */
        get: operations["queryRunFollowUps"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/team/{team}/workflowrun/{runId}/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Start a queued run now
         * @description Ahead of the queue, if the team's quota of concurrent runs has room (429 otherwise). What the body gives is laid over what the run was submitted with: labels, annotations, parameters and workspaces by name. A run that does not wait in the queue answers 409.
         *
         *     Needs the permission `workflowrun/action`.
         */
        put: operations["startRun"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/team/{team}/workflowrun/{runId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Cancel a run
         * @description The run, its open task runs and its open actions are cancelled when this answers; processes are ended right after, and runs that it waits for are cancelled too. A run that is over answers 409.
         *
         *     Needs the permission `workflowrun/action`.
         */
        delete: operations["cancelRun"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/team/{team}/workflowrun/{runId}/finalize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Free the storage of a run that is over
         * @description Its workspaces are given up and nothing of it changes any more. A run that is not over, or was finalized before, answers 409.
         *
         *     Needs the permission `workflowrun/action`.
         */
        put: operations["finalizeRun"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/team/{team}/workflowrun/{runId}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Run a run again from the beginning
         * @description Makes a new run with the same content and parameters, linked to the first original; a body is ignored. A run that is not over answers 409.
         *
         *     Needs the permission `workflowrun/action`.
         */
        put: operations["retryRun"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/team/{team}/workflowrun/{runId}/rerun": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Run a run again from the failed tasks
         * @description Makes a new run that takes over the results of what succeeded, and does again what failed and all that comes after it. A run that is not over, or that succeeded, answers 409.
         *
         *     Needs the permission `workflowrun/action`.
         */
        put: operations["rerunRun"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/team/{team}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Watch what changes in a team, live
         * @description Server-sent events. `change` names a `kind` (workflowrun with `id`, `status` and `phase`; workflow, schedule, task, action, team; subscription; delivery, at most about once a second) that the caller may read: ask for what you show of it again. `reset`: changes may have been missed, ask for everything. A client that connects again with `Last-Event-ID`, as browsers do, gets `reset` first. Cut off when the caller may read nothing of it any more.
         *
         *     Needs the permission `workflowrun/read`.
         */
        get: operations["watchTeamChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/team/{team}/insights": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what the runs of a team tell together
         * @description How many there are and how they ended, how long they took and waited, day by day and for the workflows with the most runs.
         *
         *     Needs the permission `insights/read`.
         */
        get: operations["getTeamInsights"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/insights": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what the runs of all teams tell together
         * @description As the insights of a team, with the teams that have the most runs.
         *
         *     Needs the permission `insights/read`.
         */
        get: operations["getInstanceInsights"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/team/{team}/taskrun/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find task runs
         * @description A page of the task runs of the team, or of some of its runs, by date of creation.
         *
         *     Needs the permission `taskrun/read`.
         */
        get: operations["queryTaskRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/team/{team}/taskrun/{taskRunId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a task run with its attempts
         * @description Needs the permission `taskrun/read`.
         */
        get: operations["getTaskRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/taskrun/{taskRunId}/log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the log of a task run, live
         * @description Lines of a step come in the order of writing, whichever stream they were written to. As text it is streamed until the task run is over, all attempts in order, and cut off when the caller may not read it any more; `follow=false` gives what is there. With `Accept: application/json` it comes in pages of lines. `fromLine` and `tail` begin anywhere without reading what is before; the headers `x-first-line` and `x-total-lines` then say the number of the first line, and how many there are so far. Lines are counted from 1 over all attempts. Tasks that the engine does itself have an empty log. Needs the permission `taskrun/read` in the team of the run.
         *
         *     Needs any credential.
         */
        get: operations["getTaskRunLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/taskrun/{taskRunId}/log/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find lines in the log of a task run
         * @description Answers the numbers of the lines that fit everything that is given, for reading them with `fromLine`; without any criterion all fit. Colours in a line don't count. A request works for half a second at most, so a long log takes several: go on with `next` as `fromLine` until it is missing. Needs the permission `taskrun/read` in the team of the run.
         *
         *     Needs any credential.
         */
        get: operations["searchTaskRunLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/team/{team}/action": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Vote on actions
         * @description Approves or rejects, all or nothing: when one vote can't be cast none is, and the answer has the status of the first such vote and an entry in `errors` for each, with its index as path. One vote a person or token. With an approver group only its members may vote, and they may whatever their role is; all else needs action/action. Where the task says so, who started the run may not vote.
         *
         *     Needs the permission `action/action`, for some of it only `action/read`.
         */
        put: operations["decideActions"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/team/{team}/action/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find actions
         * @description Needs the permission `action/read`.
         */
        get: operations["queryActions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/team/{team}/action/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the open actions
         * @description Open approvals and manual tasks, and how many of all actions that were not cancelled have been decided, in per cent.
         *
         *     Needs the permission `action/read`.
         */
        get: operations["summarizeActions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/team/{team}/action/{actionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an action with its votes
         * @description Needs the permission `action/read`.
         */
        get: operations["getAction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/team/{team}/schedule": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change a schedule, or make one
         * @description With `id` that schedule is changed: what is left out stays as it is, null clears it, and a secret that is left empty stays. Its workflow can't be changed. Without `id` it is the same as POST.
         *
         *     Needs the permission `schedule/write`.
         */
        put: operations["applySchedule"];
        /**
         * Make a schedule for a workflow
         * @description Needs `workflowRef`, `timezone`, and `cronSchedule` or, for the type runOnce, `dateSchedule`. While the schedule trigger of the workflow is off, the schedule waits as trigger_disabled.
         *
         *     Needs the permission `schedule/write`.
         */
        post: operations["createSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/team/{team}/schedule/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find schedules
         * @description A page of schedules, by date of creation.
         *
         *     Needs the permission `schedule/read`.
         */
        get: operations["querySchedules"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/team/{team}/schedule/calendars": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tell when schedules fire in a range of time
         * @description The coming dates of each schedule, at most 1000, as they would be if it were active now: also of those that are paused, never of archived and completed ones. Excluded days are left out, and so are schedules that are not of the team.
         *
         *     Needs the permission `schedule/read`.
         */
        get: operations["listScheduleCalendars"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/team/{team}/schedule/{scheduleId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a schedule
         * @description Needs the permission `schedule/read`.
         */
        get: operations["getSchedule"];
        put?: never;
        post?: never;
        /**
         * Delete a schedule with its history
         * @description It does not fire any more. Runs that it has submitted stay, and go on. To keep it for the record, set its status to archived instead.
         *
         *     Needs the permission `schedule/delete`.
         */
        delete: operations["deleteSchedule"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/team/{team}/schedule/{scheduleId}/firings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what came of the times of a schedule
         * @description A page, newest first: which run was submitted, or why there is none. Kept for 30 days.
         *
         *     Needs the permission `schedule/read`.
         */
        get: operations["queryScheduleFirings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/team/{team}/schedule/{scheduleId}/submit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Submit a run of a schedule now
         * @description With the parameters, secrets included, and the labels of the schedule; its times stay as they are, and a paused schedule stays paused. The run is the caller's: the overlap policy does not count it.
         *
         *     Needs the permission `schedule/action`.
         */
        post: operations["submitSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/team/{team}/schedule/{scheduleId}/backfill": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start runs for past times of a schedule
         * @description Each time of the range that has no run gets one now, at most 100 times: also where it was skipped, refused or missed, and while the schedule is paused. A time that has a run gets no second one, so that asking again starts nothing, as long as its record is kept. With `preview` it only tells the times. All runs are submitted, or none: what a submission refuses (a quota, an inactive workflow, its trigger `schedule` turned off) refuses the whole.
         *
         *     Needs the permission `schedule/action`.
         */
        post: operations["backfillSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/team/{team}/schedule/validate-cron": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check a cron expression and show when it fires next
         * @description An expression that is not valid is an answer, not an error: valid is false, and message says why. Five fields are read as Unix cron, six and seven as Quartz. An expression that never fires again is not valid.
         *
         *     Needs the permission `schedule/read`.
         */
        get: operations["validateCron"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Deliver the event that a run waits for
         * @description Ends every task of the run that waits for the topic, and is kept for those that are reached later. A run that is over answers 409, unless it has had the same callback before. Needs the permission `webhook/action` in the team of the run, or the `signature` of the address that the run itself has given for this topic.
         *
         *     Needs a credential, or the signature of the outside platform.
         */
        get: operations["getCallback"];
        put?: never;
        /**
         * Deliver the event that a run waits for, with a payload
         * @description Ends every task of the run that waits for the topic, and is kept for those that are reached later. A run that is over answers 409, unless it has had the same callback before. Needs the permission `webhook/action` in the team of the run, or the `signature` of the address that the run itself has given for this topic.
         *
         *     Needs a credential, or the signature of the outside platform.
         */
        post: operations["postCallback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/event": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver a CloudEvent
         * @description Structured, binary or batched, version 1.0 or 0.3. The workflow is the one that `ref` names, else the first segment of the event's subject; its trigger `event` must be enabled and its conditions must hold. An event that names none starts every workflow of your teams whose trigger fits; then, and for a batch, the answer is TriggeredRuns. The same event (source and id) within 24 hours gets the first answer again. Needs the permission `webhook/action` in the team.
         *
         *     Needs any credential.
         */
        post: operations["receiveEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/webhook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver a webhook
         * @description With `x-chat-signature` it is a payload of the chat platform, else with `X-Codehost-Event` an event of the codehost's app, else one for the workflow of `ref`, whose trigger `webhook` must be enabled. The platforms' own spellings of the headers are understood. The answer is the run; an event of the codehost may start several (TriggeredRuns). Needs the permission `webhook/action` in the team of the workflow, or a signature: that of the platform, or one with the secret of the workflow (`webhook-id`, `webhook-timestamp` and `webhook-signature` of Standard Webhooks, or `X-Signature-256: sha256=HEX` over the body).
         *
         *     Needs a credential, or the signature of the outside platform.
         */
        post: operations["receiveWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/team/{team}/subscription/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find subscriptions of a team
         * @description A page of subscriptions, by date of creation.
         *
         *     Needs the permission `integration/read`.
         */
        get: operations["queryTeamSubscriptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/team/{team}/subscription": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a subscription of a team
         * @description Events that its filters let through are sent to its target from now on: docs/outbound-events.md. The secret that signs webhooks is in this answer and never again.
         *
         *     Needs the permission `integration/write`.
         */
        post: operations["createTeamSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/team/{team}/subscription/{subscription}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a subscription of a team
         * @description Needs the permission `integration/read`.
         */
        get: operations["getTeamSubscription"];
        /**
         * Replace a subscription of a team
         * @description What the body leaves out becomes the default; `name` and `target` are needed. The channel never changes. The secret changes by rotating it, and has to be given with another `target.url`. With `isActive` false nothing more is recorded or sent for it; what is queued waits.
         *
         *     Needs the permission `integration/write`.
         */
        put: operations["replaceTeamSubscription"];
        post?: never;
        /**
         * Delete a subscription of a team, with its deliveries
         * @description What is queued for it is not sent any more. To stop it for a while, set `isActive` to false instead.
         *
         *     Needs the permission `integration/write`.
         */
        delete: operations["deleteTeamSubscription"];
        options?: never;
        head?: never;
        /**
         * Change a subscription of a team
         * @description What the body leaves out stays as it is. The channel never changes. The secret changes by rotating it, and has to be given with another `target.url`. With `isActive` false nothing more is recorded or sent for it; what is queued waits.
         *
         *     Needs the permission `integration/write`.
         */
        patch: operations["changeTeamSubscription"];
        trace?: never;
    };
    "/api/v2/team/{team}/subscription/{subscription}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a subscription of a team a new secret
         * @description It is in this answer and never again. For 24 hours each webhook carries two signatures, of the new secret and of the one before.
         *
         *     Needs the permission `integration/write`.
         */
        post: operations["rotateTeamSubscriptionSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/team/{team}/subscription/{subscription}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event to a subscription of a team
         * @description An event of the type `dev.millrace.subscription.test` is sent at once, the way of all others, whatever the filters. The answer is its delivery, which `delivery/query` shows as it goes on.
         *
         *     Needs the permission `integration/write`.
         */
        post: operations["testTeamSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/team/{team}/subscription/{subscription}/delivery/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find deliveries of a subscription of a team
         * @description A page of deliveries with their events, the newest first. Delivered ones are kept for 7 days, dead ones for 30.
         *
         *     Needs the permission `integration/read`.
         */
        get: operations["queryTeamDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/team/{team}/subscription/{subscription}/delivery/{deliveryId}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a delivery of a subscription of a team again
         * @description One that is dead, or delivered: with the same event and the same `webhook-id`, and a day to get through.
         *
         *     Needs the permission `integration/write`.
         */
        post: operations["replayTeamDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/team/{team}/subscription/{subscription}/delivery/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send all dead deliveries of a subscription of a team again
         * @description In the order of their events, for each run.
         *
         *     Needs the permission `integration/write`.
         */
        post: operations["replayTeamDeadDeliveries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/subscription/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find subscriptions of the instance
         * @description A page of subscriptions, by date of creation.
         *
         *     Needs the permission `integration/read`.
         */
        get: operations["querySubscriptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/subscription": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a subscription of the instance
         * @description Events that its filters let through are sent to its target from now on: docs/outbound-events.md. The secret that signs webhooks is in this answer and never again.
         *
         *     Needs the permission `integration/write`.
         */
        post: operations["createSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/subscription/{subscription}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a subscription of the instance
         * @description Needs the permission `integration/read`.
         */
        get: operations["getSubscription"];
        /**
         * Replace a subscription of the instance
         * @description What the body leaves out becomes the default; `name` and `target` are needed. The channel never changes. The secret changes by rotating it, and has to be given with another `target.url`. With `isActive` false nothing more is recorded or sent for it; what is queued waits.
         *
         *     Needs the permission `integration/write`.
         */
        put: operations["replaceSubscription"];
        post?: never;
        /**
         * Delete a subscription of the instance, with its deliveries
         * @description What is queued for it is not sent any more. To stop it for a while, set `isActive` to false instead.
         *
         *     Needs the permission `integration/write`.
         */
        delete: operations["deleteSubscription"];
        options?: never;
        head?: never;
        /**
         * Change a subscription of the instance
         * @description What the body leaves out stays as it is. The channel never changes. The secret changes by rotating it, and has to be given with another `target.url`. With `isActive` false nothing more is recorded or sent for it; what is queued waits.
         *
         *     Needs the permission `integration/write`.
         */
        patch: operations["changeSubscription"];
        trace?: never;
    };
    "/api/v2/subscription/{subscription}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a subscription of the instance a new secret
         * @description It is in this answer and never again. For 24 hours each webhook carries two signatures, of the new secret and of the one before.
         *
         *     Needs the permission `integration/write`.
         */
        post: operations["rotateSubscriptionSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/subscription/{subscription}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event to a subscription of the instance
         * @description An event of the type `dev.millrace.subscription.test` is sent at once, the way of all others, whatever the filters. The answer is its delivery, which `delivery/query` shows as it goes on.
         *
         *     Needs the permission `integration/write`.
         */
        post: operations["testSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/subscription/{subscription}/delivery/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find deliveries of a subscription of the instance
         * @description A page of deliveries with their events, the newest first. Delivered ones are kept for 7 days, dead ones for 30.
         *
         *     Needs the permission `integration/read`.
         */
        get: operations["queryDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/subscription/{subscription}/delivery/{deliveryId}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a delivery of a subscription of the instance again
         * @description One that is dead, or delivered: with the same event and the same `webhook-id`, and a day to get through.
         *
         *     Needs the permission `integration/write`.
         */
        post: operations["replayDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/subscription/{subscription}/delivery/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send all dead deliveries of a subscription of the instance again
         * @description In the order of their events, for each run.
         *
         *     Needs the permission `integration/write`.
         */
        post: operations["replayDeadDeliveries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/integration": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the integrations and their status for a team
         * @description `ref` is the installation that the team is linked to. Needs the permission `integration/read` in the team.
         *
         *     Needs any credential.
         */
        get: operations["listIntegrations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/integration/codehost/installation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an installation of the codehost's app, and link it to a team
         * @description With `id`: that installation, if one of your teams is linked to it, or if you could link it to one. With `team`: the one that the team is linked to. With both, and the permission `integration/write` in the team, it links them first, by the rules of `POST /integration/codehost/link`. It is read from the platform, as the app, and what is recorded of it is brought up to date; an instance without the app's credentials answers with what the platform's events have told.
         *
         *     Needs any credential.
         */
        get: operations["getCodehostInstallation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/integration/codehost/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Link an installation of the codehost's app to a team
         * @description The events of the installation then start the team's workflows, too; other teams that are linked to it stay so. Linking again changes nothing. Needs the permission `integration/write` in the team, and by the setting `codehost.linking` more than that: as a rule the installation must be less than an hour old and linked to no team, or linked to a team whose integrations the caller may write, or the caller an administrator. One that was never announced is looked for on the platform.
         *
         *     Needs any credential.
         */
        post: operations["linkCodehostInstallation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/integration/codehost/unlink": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Unlink an installation of the codehost's app from a team
         * @description `ref` is the platform's number of the installation or the `ref` of the team's integration. Other teams stay linked, and the team can be linked again. What was not linked stays so. Needs the permission `integration/write` in the team.
         *
         *     Needs any credential.
         */
        post: operations["unlinkCodehostInstallation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/integration/chat/install": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Go to where the chat app is added to a workspace
         * @description Redirects to the setting `chat.installURL` with a `state`, which `/chat/auth` checks, and which is good in this browser only, for ten minutes. A browser goes here, so it takes no credential.
         *
         *     Needs no credential.
         */
        get: operations["beginChatInstall"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/integration/chat/auth": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Take the chat platform's code and keep the workspace's token
         * @description The platform sends the browser here after the app was added to a workspace. The code is exchanged there for a token, which is kept sealed; then the browser goes back to the chat program. A `state` must be one that `/chat/install` gave this browser; an installation that began on the platform has none. What the workspace reaches then, `/chat/link` says.
         *
         *     Needs no credential.
         */
        get: operations["finishChatInstall"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/integration/chat/commands": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer a slash command of the chat platform
         * @description `help`, `list [team]`, `run WORKFLOW` (or the workflow alone), `status RUN` or `status WORKFLOW`. Its sender is the user here who has the address that the platform has confirmed for him, and may do what that user may do in the teams that the workspace is linked to; a credential in the address of the command adds nothing. `help` is answered at once; all else with an empty answer first, and then at the `response_url` of the form, or in this answer where the form has none. Only the sender sees it. The signature is checked in any case.
         *
         *     Needs a credential, or the signature of the outside platform.
         */
        post: operations["receiveChatCommand"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/integration/chat/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive an event of the chat platform
         * @description Answers the platform's challenge, forgets a workspace that removed the app together with its links to teams, and welcomes whoever opens the app's home for the first time. Other events are taken note of and change nothing. The signature is checked in any case.
         *
         *     Needs a credential, or the signature of the outside platform.
         */
        post: operations["receiveChatEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/integration/chat/interactivity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive what somebody did in a dialog or with a message of the chat platform
         * @description A dialog of `run` starts the workflow, once, in the name of the user here who has the sender's confirmed address, or says what is wrong in it. The buttons of a message about an action cast that user's vote by the rules of `PUT /action`; then the message says who decided, and a vote that can't be cast is explained to its sender alone. Everything else is confirmed by an empty object. The signature is checked in any case.
         *
         *     Needs a credential, or the signature of the outside platform.
         */
        post: operations["receiveChatInteraction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/integration/chat/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Link a workspace of the chat platform to a team
         * @description The people of the workspace who are users here then reach the team's workflows and actions from the chat, each with the rights of his own; other teams that are linked stay so. Linking again changes nothing. Needs the permission `integration/write` in the team; the first link of a workspace takes every permission (an administrator), since it vouches for who its people are.
         *
         *     Needs any credential.
         */
        post: operations["linkChatWorkspace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/integration/chat/unlink": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Unlink a workspace of the chat platform from a team
         * @description `ref` is the platform's id of the workspace or the `ref` of the team's integration. The workspace does not reach the team any more; other teams stay linked, and the team can be linked again. What was not linked stays so. Needs the permission `integration/write` in the team.
         *
         *     Needs any credential.
         */
        post: operations["unlinkChatWorkspace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/integration/chat/workspace": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the workspaces of the chat platform that have the app
         * @description The newest first, at most 1000, with the teams that are linked to each. Needs the permission in the whole instance.
         *
         *     Needs the permission `integration/read`.
         */
        get: operations["listChatWorkspaces"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/team/{team}/task": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a task of the team
         * @description As the resource, or as a definition document (YAML). Names hold letters, digits and hyphen, and are unique among the tasks of the team, or among the global ones; a team's task may have the name of a global one.
         *
         *     Needs the permission `task/write`.
         */
        post: operations["createTeamTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/team/{team}/task/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a task of the team
         * @description As the resource, or with `Accept: application/x-yaml` as its definition document. Secrets are empty. The ETag is for If-Match of a write.
         *
         *     Needs the permission `task/read`.
         */
        get: operations["getTeamTask"];
        /**
         * Create a task of the team, or write a new version of it
         * @description The path names the task, whatever the body says. What is versioned is taken entirely from the body; labels and annotations are merged into those that are there, the type never changes, and without a status the task is active. An inactive task can only be changed by a body that does not say inactive.
         *
         *     Needs the permission `task/write`.
         */
        put: operations["applyTeamTask"];
        post?: never;
        /**
         * Delete a task of the team
         * @description A task that workflows use is a 409 that names them. Runs keep what they were submitted with.
         *
         *     Needs the permission `task/delete`.
         */
        delete: operations["deleteTeamTask"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/team/{team}/task/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find tasks of the team
         * @description A page of the latest versions, by date of creation. A page of more than 32 MiB is refused: ask for a smaller one.
         *
         *     Needs the permission `task/read`.
         */
        get: operations["queryTeamTasks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/team/{team}/task/{name}/try": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a task by itself, to try it
         * @description One of the team, or a global one. Submits a run of this one task, in a workflow that is made for it and is in no list; follow it by the run's id. It counts against the quotas of runs, and is cleared away with its log an hour after its end. With `draft` or `draftDocument` that is run instead of what is saved, by the rules of a save and without becoming a version, also of a task that there is not yet; this takes task/write as well. The header `Warning` tells what looks like a mistake in it.
         *
         *     Needs the permission `task/action`.
         */
        post: operations["tryTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/team/{team}/task/{name}/changelog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who changed a task, when and why, version by version
         * @description Needs the permission `task/read`.
         */
        get: operations["listTeamTaskChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/team/{team}/task/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a task-definition document without storing it
         * @description Empty when it could be saved. Otherwise a 400 whose `errors` say what is wrong at which line and column. The header `Warning` tells what looks like a mistake, but would be saved.
         *
         *     Needs the permission `task/read`.
         */
        post: operations["validateTeamTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/task": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a global task
         * @description As the resource, or as a definition document (YAML). Names hold letters, digits and hyphen, and are unique among the tasks of the team, or among the global ones; a team's task may have the name of a global one.
         *
         *     Needs the permission `task/write`.
         */
        post: operations["createGlobalTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/task/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a global task
         * @description As the resource, or with `Accept: application/x-yaml` as its definition document. Secrets are empty. The ETag is for If-Match of a write.
         *
         *     Needs any credential.
         */
        get: operations["getGlobalTask"];
        /**
         * Create a global task, or write a new version of it
         * @description The path names the task, whatever the body says. What is versioned is taken entirely from the body; labels and annotations are merged into those that are there, the type never changes, and without a status the task is active. An inactive task can only be changed by a body that does not say inactive.
         *
         *     Needs the permission `task/write`.
         */
        put: operations["applyGlobalTask"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/task/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find global tasks
         * @description A page of the latest versions, by date of creation. A page of more than 32 MiB is refused: ask for a smaller one.
         *
         *     Needs any credential.
         */
        get: operations["queryGlobalTasks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/task/{name}/changelog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who changed a task, when and why, version by version
         * @description Needs any credential.
         */
        get: operations["listGlobalTaskChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/task/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a task-definition document without storing it
         * @description Empty when it could be saved. Otherwise a 400 whose `errors` say what is wrong at which line and column. The header `Warning` tells what looks like a mistake, but would be saved.
         *
         *     Needs any credential.
         */
        post: operations["validateGlobalTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/workflowtemplate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Create a workflow template, or write a new version of it
         * @description The template is found by the name in the body. What is versioned is taken entirely from the body, the rest where it is given.
         *
         *     Needs the permission `workflowtemplate/write`.
         */
        put: operations["applyWorkflowTemplate"];
        /**
         * Create a workflow template
         * @description The document is described in docs/templates.md; only `name` is needed. Its tasks are global ones.
         *
         *     Needs the permission `workflowtemplate/write`.
         */
        post: operations["createWorkflowTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/workflowtemplate/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find workflow templates
         * @description A page of the latest versions, by their date of creation. A page of more than 32 MiB is refused: ask for a smaller one.
         *
         *     Needs any credential.
         */
        get: operations["queryWorkflowTemplates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/workflowtemplate/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a workflow template
         * @description Secrets are empty, with `hiddenValue`. The ETag is for If-Match of a write. POST the answer to a team to make a workflow of it.
         *
         *     Needs any credential.
         */
        get: operations["getWorkflowTemplate"];
        put?: never;
        post?: never;
        /**
         * Delete a workflow template with all its versions
         * @description Workflows that were made of it stay as they are.
         *
         *     Needs the permission `workflowtemplate/delete`.
         */
        delete: operations["deleteWorkflowTemplate"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/workflowtemplate/{name}/changelog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who changed a workflow template, when and why, version by version
         * @description Needs any credential.
         */
        get: operations["listWorkflowTemplateChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/team/{team}/audit/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find out who changed what in a team
         * @description A page of audit records, the newest first. For those who may change the team: editors and owners.
         *
         *     Needs the permission `team/write`.
         */
        get: operations["queryTeamAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/team/{team}/audit/{auditId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an audit record of a team
         * @description Needs the permission `team/write`.
         */
        get: operations["getTeamAuditEntry"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/audit/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find out who changed what in the instance
         * @description A page of audit records of all teams and of what belongs to none, the newest first.
         *
         *     Needs the permission `system/read`.
         */
        get: operations["queryAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/audit/failed-sign-ins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find out who tried to sign in and failed
         * @description A page of failed sign-ins, the newest hour first: alike ones of an hour are one, with their number. Kept for 30 days. Sign-ins that were refused unseen, because too many had failed before, are not among them.
         *
         *     Needs the permission `system/read`.
         */
        get: operations["queryFailedSignIns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/audit/{auditId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an audit record
         * @description Needs the permission `system/read`.
         */
        get: operations["getAuditEntry"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/activate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Activate the instance
         * @description Takes the one-time code of the first start, or a global token in its place, and makes the first administrator when `email` and `password` are given. Open until the instance is activated, 409 afterwards; 429 after ten wrong codes from one address, or a hundred, in a quarter of an hour. The administrator is signed in at once: the cookie of his session is in the answer.
         *
         *     Needs no credential.
         */
        put: operations["activateInstance"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the settings of the instance
         * @description All groups with all their settings, changed or not; docs/settings.md has what each does. Secrets read as empty text.
         *
         *     Needs the permission `system/read`.
         */
        get: operations["listSettings"];
        /**
         * Change settings of the instance
         * @description Groups are found by `id` (or `key`), their settings by `key`; only `value` is taken, as text or as the number or boolean that it stands for. What is left out stays, and so do secrets that are empty. Either everything is changed or nothing. What decides who people of the chat are taken for, the signing secret and the API address, is for administrators. Answers all groups. Every process goes by the new values within two seconds.
         *
         *     Needs the permission `system/write`.
         */
        put: operations["changeSettings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/system/workers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the workers, and what waits for them
         * @description Every process that runs tasks, with its executors and slots, and the task runs that none of them has claimed, by what they need and by team, with the reason. At most 10,000 that wait are counted. How an executor isolates, and why one is off, is known of the process that answers.
         *
         *     Needs the permission `system/read`.
         */
        get: operations["listWorkers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/system/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read how much history there is, and what was removed
         * @description Runs, logs, deliveries and audit records of all teams: their size, the oldest, and for how many days they are kept; what the last removal removed, or the present one has so far, and when the next one is due.
         *
         *     Needs the permission `system/read`.
         */
        get: operations["getHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/features": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what is switched on
         * @description May be kept for five minutes.
         *
         *     Needs no credential.
         */
        get: operations["getFeatures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/context": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what a client shows of the instance: its name, version, addresses
         * @description Needs no credential.
         */
        get: operations["getContext"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/navigation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List where the caller can go in the user interface
         * @description Only what is switched on and what the caller may read. Without a team the links of a team are there, disabled. May be kept for a minute.
         *
         *     Needs any credential.
         */
        get: operations["listNavigation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what the caller sees first: teams with counts, open actions, recent runs
         * @description Of the teams that the caller belongs to; of all teams, the first hundred by name, for who belongs to none and may read them. Only the actions on which the caller may vote. Of a team whose runs or actions the caller may not read, none are there.
         *
         *     Needs any credential.
         */
        get: operations["getOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find teams, workflows, tasks and templates by name
         * @description Over everything that the caller may read, in one question. Each word must be in a name of the thing, or of the team it is in. Best are those whose name begins with the first word, then those with a word that does, then those that have it anywhere, then those found by their team; of equals the newest. Nothing asked: the newest of each kind.
         *
         *     Needs any credential.
         */
        get: operations["searchEverything"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Watch what changes in all teams that the caller may read, and in the instance
         * @description Server-sent events, as those of a team. `change` names a `kind` and the `team` it is in. Without a team it is of the instance: team (one was made), task (a global one), workflowtemplate, and where the caller may read them user, parameter, token, system (settings), subscription and delivery (those of the instance itself; a team's deliveries are told by its own stream), and worker, which is told every ten seconds besides. `reset`: changes may have been missed, or the caller may read other teams than before; ask for everything. Cut off when the credential ends.
         *
         *     Needs any credential.
         */
        get: operations["watchChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/parameters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the global parameters
         * @description Every run can refer to them, as `$(global.params.NAME)`. Secrets read as empty text.
         *
         *     Needs the permission `parameter/read`.
         */
        get: operations["listGlobalParameters"];
        /**
         * Replace a global parameter
         * @description Found by name. All its members are taken from the body; only a secret that is left empty stays as it is, and so do `teams` that are left out (null: all teams). Further teams for a secret take the secret in the same request. The names that older clients use are read too: `key` for `name`, `defaultValue`, `values` for a list, `helperText`.
         *
         *     Needs the permission `parameter/write`.
         */
        put: operations["replaceGlobalParameter"];
        /**
         * Create a global parameter
         * @description The name is unique. One of type `password` is a secret: stored sealed, never read back, masked in logs. The names that older clients use are read too: `key` for `name`, `defaultValue`, `values` for a list, `helperText`.
         *
         *     Needs the permission `parameter/write`.
         */
        post: operations["createGlobalParameter"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/parameters/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a global parameter
         * @description Runs that were submitted before keep its value.
         *
         *     Needs the permission `parameter/delete`.
         */
        delete: operations["deleteGlobalParameter"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Say that the process is alive, and what it can run tasks with
         * @description `detail` is for administrators of the instance only: it may name files and addresses of the machine.
         *
         *     Needs no credential.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Say whether requests and work are taken
         * @description 200 when the database answers with the right schema, has room on its disk, and every role of this process is up, else 503. A process whose only role is `worker` needs an executor that works.
         *
         *     Needs no credential.
         */
        get: operations["getReady"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the metrics of this process
         * @description Text format of Prometheus.
         *
         *     Needs the permission `system/read`.
         */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/docs/spec": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the API document
         * @description OpenAPI 3.1.
         *
         *     Needs no credential.
         */
        get: operations["getApiDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the API document as a page
         * @description Needs no credential.
         */
        get: operations["getApiPage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @example {
         *       "name": "region",
         *       "label": "Region",
         *       "type": "text",
         *       "required": true,
         *       "value": "north"
         *     }
         */
        AbstractParam: {
            name: string;
            description?: string;
            /** @description Any JSON value; always empty for a secret */
            default?: unknown;
            label?: string;
            /**
             * @description How a form shows it; an unknown type is shown as text
             * @example text
             * @example textarea
             * @example email
             * @example number
             * @example url
             * @example boolean
             * @example password
             * @example select
             * @example multiselect
             * @example json
             * @example texteditor
             * @example texteditor::javascript
             * @example texteditor::text
             * @example texteditor::shell
             * @example texteditor::yaml
             */
            type?: string;
            minValueLength?: number;
            maxValueLength?: number;
            options?: components["schemas"]["KeyValuePair"][];
            required?: boolean;
            disabled?: boolean;
            /** @description A secret is stored; reads never return it */
            hiddenValue?: boolean;
            readOnly?: boolean;
            placeholder?: string;
            helpertext?: string;
            /** @description Language of a text editor */
            language?: string;
            /** @description Any JSON value; always empty for a secret */
            value?: unknown;
            /** @description Allowed values (task parameters) */
            enum?: string[];
            /** @description Members of an object (task parameters) */
            properties?: {
                [key: string]: unknown;
            };
            /** @description Global parameters only: the teams that can use it, by name or ID in a request and by ID in a response. Absent: all teams; empty: none. For the others it does not exist */
            teams?: string[];
        };
        /**
         * @example {
         *       "id": "0198c1de-7d78-7c09-b58a-2b1c0d9e8f76",
         *       "taskRunRef": "0198c1de-7d72-7f83-a479-9d8e7f6a5b65",
         *       "taskName": "ask",
         *       "workflowRunRef": "0198c1de-7d71-7e12-8a68-7c5b4d3e2f54",
         *       "workflowRef": "0198c1de-7d6b-7d44-b2c3-1f0a8e5d4c32",
         *       "workflowName": "welcome",
         *       "teamName": "hawks",
         *       "type": "approval",
         *       "status": "submitted",
         *       "instructions": "Does it sound friendly?",
         *       "creationDate": "2026-03-01T12:00:00.000Z",
         *       "deadline": null,
         *       "reminder": null,
         *       "reminderDate": null,
         *       "actioners": [],
         *       "numberOfApprovers": 1,
         *       "numberOfApprovals": 0,
         *       "approvalsRequired": 1,
         *       "approverGroupRef": null,
         *       "approverGroupName": null,
         *       "approverRefs": null,
         *       "reminderCount": 0,
         *       "requesterMayNotApprove": false
         *     }
         */
        Action: {
            id: string;
            workflowRef: string;
            workflowName: string;
            workflowRunRef: string;
            taskRunRef: string;
            taskName: string;
            teamName: string;
            /** @enum {string} */
            type: "approval" | "manual";
            /** @enum {string} */
            status: "approved" | "submitted" | "rejected" | "cancelled";
            instructions: string | null;
            creationDate: string;
            /**
             * Format: date-time
             * @description When the action expires: the earliest of the time limits of the action, the task and the run
             */
            deadline: string | null;
            /** @description Minutes between reminders */
            reminder: number | null;
            /**
             * Format: date-time
             * @description When the next reminder is sent; null if there is none
             */
            reminderDate: string | null;
            /** @description Reminders sent so far */
            reminderCount: number;
            /** @description The person who started the run may not vote */
            requesterMayNotApprove: boolean;
            numberOfApprovers: number;
            approvalsRequired: number;
            /** @description Approving votes so far */
            numberOfApprovals: number;
            /** @description Id of the group whose members may vote */
            approverGroupRef: string | null;
            /** @description Null if the group was deleted */
            approverGroupName: string | null;
            /** @description IDs of the members of the group when the action was opened: only they can vote, as long as they are members. Null without a group */
            approverRefs: string[] | null;
            actioners: components["schemas"]["Actioner"][];
        };
        /**
         * @example {
         *       "id": "0198c1de-7d78-7c09-b58a-2b1c0d9e8f76",
         *       "approved": true,
         *       "comments": "Yes"
         *     }
         */
        ActionRequest: {
            id: string;
            /** @description Default false: a rejection */
            approved?: boolean | null;
            comments?: string | null;
        };
        /**
         * @example {
         *       "approvalsRate": 75,
         *       "manual": 1,
         *       "approvals": 2
         *     }
         */
        ActionSummary: {
            /** @description Share of decided actions, in per cent */
            approvalsRate: number;
            /** @description Open manual tasks */
            manual: number;
            /** @description Open approvals */
            approvals: number;
        };
        Actioner: {
            approverId: string;
            approverName?: string;
            approverEmail?: string;
            comments?: string;
            date: string;
            approved: boolean;
        };
        ApproverGroup: {
            id: string;
            name: string;
            /** Format: date-time */
            creationDate: string;
            approvers: components["schemas"]["TeamMember"][];
        };
        ApproverGroupRequest: {
            /** @description Ignored: a group is found by its name */
            id?: string | null;
            name: string;
            /** @description IDs or email addresses of members of the team; replaces the existing ones */
            approvers?: string[] | null;
        };
        AttemptWaitTimes: {
            /**
             * Format: int64
             * @description From its turn until a worker claimed it
             */
            queue?: number;
            /**
             * Format: int64
             * @description A quota of the cluster
             */
            quota?: number;
            /**
             * Format: int64
             * @description A node of the cluster
             */
            scheduling?: number;
            /**
             * Format: int64
             * @description Images of its steps
             */
            imagePull?: number;
            /**
             * Format: int64
             * @description From there to the begin of its first step
             */
            start?: number;
        };
        /**
         * @example {
         *       "id": "0198c1de-7d96-7b5f-baef-9f807b6c5dcb",
         *       "date": "2026-03-01T12:00:00.000Z",
         *       "team": {
         *         "id": "0198c1de-7d5c-7c3b-a1f0-2b7f6d2d9b1e",
         *         "name": "hawks"
         *       },
         *       "actor": {
         *         "principal": "user:0198c1de-7d60-7a51-9f22-0c4e6e1f7a10",
         *         "type": "user",
         *         "name": "ada@example.com",
         *         "tokenRef": "0198c1de-7d84-7e2c-87bc-6c5d4e3f2a98"
         *       },
         *       "action": "team/write",
         *       "object": {
         *         "kind": "team",
         *         "id": "0198c1de-7d5c-7c3b-a1f0-2b7f6d2d9b1e",
         *         "name": "hawks"
         *       },
         *       "requestId": "0198c1de-7d90-7a4e-a9de-8e7f6a5b4cba",
         *       "before": {
         *         "name": "hawks",
         *         "displayName": "Hawks"
         *       },
         *       "after": {
         *         "name": "hawks",
         *         "displayName": "The Hawks"
         *       }
         *     }
         */
        AuditEntry: {
            id: string;
            /** @description ISO 8601 in UTC */
            date: string;
            /** @description Null for changes of the instance; the name is null if the team was deleted */
            team: {
                id: string;
                name: string | null;
            } | null;
            actor: {
                /** @description `user:ID` or `token:ID` */
                principal: string;
                /**
                 * @example user
                 * @example session
                 * @example team
                 * @example workflow
                 * @example global
                 */
                type: string;
                /** @description At that time */
                name: string | null;
                /** @description ID of the token that was used */
                tokenRef: string | null;
            };
            /**
             * @description The permission used: resource/action
             * @example workflow/write
             */
            action: string;
            object: {
                /** @example workflow */
                kind: string;
                /** @description Null if it is addressed only by name */
                id: string | null;
                /** @description At that time */
                name: string | null;
            };
            /** @description That of the header x-request-id */
            requestId: string | null;
            /** @description Null if it didn't exist before; secrets masked */
            before: unknown;
            /** @description Null if it doesn't exist any more; secrets masked */
            after: unknown;
            /** @description before and after are too large for the list; read the entry by itself */
            truncated?: boolean;
        };
        /**
         * @example {
         *       "kind": "session",
         *       "id": "user:0198c1de-7d84-7e2c-87bc-6c5d4e3f2a98",
         *       "name": "Ada",
         *       "email": "ada@example.com",
         *       "userId": "0198c1de-7d84-7e2c-87bc-6c5d4e3f2a98",
         *       "expirationDate": "2026-03-09T08:15:00.000Z",
         *       "permissions": [],
         *       "teams": [
         *         {
         *           "id": "0198c1de-7d5c-7c3b-a1f0-2b7f6d2d9b1e",
         *           "name": "hawks",
         *           "displayName": "The Hawks",
         *           "permissions": [
         *             "**\/read"
         *           ]
         *         }
         *       ]
         *     }
         */
        Caller: {
            /**
             * @description session: a person in a browser; the others: kinds of tokens
             * @enum {string}
             */
            kind: "global" | "team" | "workflow" | "user" | "session";
            /** @description As in votes and in the audit: user:ID or token:ID */
            id: string;
            name: string;
            email: string | null;
            /** @description Of the person behind a session or a user's token */
            userId: string | null;
            /**
             * Format: date-time
             * @description When the credential expires
             */
            expirationDate: string | null;
            /** @description resource/action with ** for any: on the instance and in all of its teams */
            permissions: string[];
            /** @description Teams of the caller, by name */
            teams: components["schemas"]["CallerTeam"][];
        };
        CallerTeam: {
            id: string;
            name: string;
            displayName: string;
            /** @description resource/action with ** for any: what the caller can do in this team */
            permissions: string[];
        };
        CanvasEdge: {
            id?: string | null;
            /** @description ID of the node at its start */
            source: string;
            /** @description ID of the node at its end */
            target: string;
            /** @description Type of the source's task. Computed */
            type?: string | null;
            data?: components["schemas"]["CanvasEdgeData"] | null;
        };
        CanvasEdgeData: {
            /** @description Regular expressions (RE2), one per line, on edges that leave a decision */
            decisionCondition?: string | null;
            /**
             * @description When the edge is followed; default always
             * @enum {string|null}
             */
            executionCondition?: "always" | "success" | "failure" | null;
        } & {
            [key: string]: unknown;
        };
        CanvasNode: {
            /** @description Used by edges; needs to be unique only inside one canvas */
            id: string;
            /** @enum {string|null} */
            type?: "start" | "end" | "template" | "custom" | "generic" | "script" | "decision" | "approval" | "manual" | "eventwait" | "sleep" | "acquirelock" | "releaselock" | "runworkflow" | "runscheduledworkflow" | "setwfproperty" | "setwfstatus" | null;
            position?: components["schemas"]["CanvasNodePosition"] | null;
            data: components["schemas"]["CanvasNodeData"];
        };
        CanvasNodeData: {
            /** @description Unique in the workflow */
            name: string;
            /** @description Name or ID of the task: the team's own first, then a global one. Returned as name */
            taskRef?: string | null;
            /** @description Version of the task; defaults to the latest */
            taskVersion?: number | null;
            /** @description The task has a newer version. Computed */
            upgradesAvailable?: boolean | null;
            /** @description Minutes; 0 means no limit of its own */
            timeout?: number | null;
            labels?: {
                [key: string]: string;
            } | null;
            annotations?: {
                [key: string]: unknown;
            } | null;
            /** @description Values for the parameters of the task */
            params?: components["schemas"]["RunParam"][] | null;
            /** @description Results in addition to those of the task */
            results?: components["schemas"]["ResultSpec"][] | null;
            workspaces?: components["schemas"]["TaskWorkspace"][] | null;
            forEach?: components["schemas"]["ForEach"] | null;
            retry?: components["schemas"]["RetryPolicy"] | null;
            /**
             * @description What happens if its worker is lost; default retry
             * @enum {string|null}
             */
            onLost?: "retry" | "fail" | null;
            /**
             * @description What happens if its parameters refer to a name that doesn't exist; defaults to that of the workflow, which is fail
             * @enum {string|null}
             */
            unresolvedReferences?: "fail" | "keep" | null;
        } & {
            [key: string]: unknown;
        };
        CanvasNodePosition: {
            x: number;
            y: number;
        };
        ChangeLog: {
            author?: string;
            reason?: string;
            /** @description ISO 8601 in UTC */
            date?: string;
        };
        /**
         * @example {
         *       "author": "Ada",
         *       "reason": "Says hello in Norwegian",
         *       "date": "2026-03-01T12:00:00.000Z",
         *       "version": 2
         *     }
         */
        ChangeLogVersion: {
            author?: string;
            reason?: string;
            /** @description ISO 8601 in UTC */
            date?: string;
            version: number;
        };
        ChatChallenge: {
            challenge: string;
        };
        /**
         * @example {
         *       "ref": "T0HAWKS",
         *       "team": "hawks"
         *     }
         */
        ChatLinkRequest: {
            /** @description The platform's workspace ID; to unlink, the ID of its record works too */
            ref: string;
            /** @description Name or ID of the team */
            team: string;
        };
        /**
         * @example {
         *       "ref": "T0HAWKS",
         *       "name": "Hawks",
         *       "scopes": [
         *         "commands",
         *         "chat:write"
         *       ],
         *       "teams": [
         *         "hawks"
         *       ]
         *     }
         */
        ChatWorkspace: {
            /** @description The platform's ID */
            ref: string;
            /** @description As reported by the platform; empty if it was not reported */
            name: string;
            /** @description Permissions granted to the app */
            scopes: string[];
            /** @description Names of the linked teams */
            teams: string[];
        };
        /**
         * @example {
         *       "appId": "718204",
         *       "installationId": 51842307,
         *       "orgSlug": "hawks-and-friends",
         *       "orgUrl": "https://codehost.example.com/hawks-and-friends",
         *       "orgId": 90317,
         *       "orgType": "Organization",
         *       "events": [
         *         "push",
         *         "pull_request"
         *       ],
         *       "repositories": [
         *         "hawks-and-friends/website"
         *       ]
         *     }
         */
        CodehostInstallation: {
            appId: string;
            installationId: number;
            /** @description Name of the account that installed the app */
            orgSlug: string;
            orgUrl: string;
            orgId: number;
            /**
             * @example Organization
             * @example User
             */
            orgType: string;
            /** @description What the platform sends */
            events: string[];
            /** @description Names of the repositories that it can access, as reported by the platform */
            repositories: string[];
        };
        /**
         * @example {
         *       "ref": "51842307",
         *       "team": "hawks"
         *     }
         */
        CodehostLinkRequest: {
            /** @description The platform's installation number; to unlink, the ID of its record works too */
            ref: string;
            /** @description Name or ID of the team */
            team: string;
        };
        /**
         * @example {
         *       "valid": true,
         *       "next": [
         *         "2026-03-02T08:00:00.000Z",
         *         "2026-03-03T08:00:00.000Z"
         *       ]
         *     }
         * @example {
         *       "valid": false,
         *       "message": "minute 61 is out of range; it can be 0 to 59 (at character 1)"
         *     }
         */
        CronValidationResponse: {
            valid: boolean;
            /** @description Only if not valid: what is wrong, where (the first character is 1), and what would be valid */
            message?: string;
            /** @description Only if valid: the next firing times, at most ten */
            next?: string[];
        };
        CurrentQuotas: {
            /** @description Maximum number of workflows of a team */
            maxWorkflowCount?: number | null;
            /** @description Maximum number of runs submitted in a calendar month (UTC) */
            maxWorkflowRunMonthly?: number | null;
            /** @description Gi, for each workspace kept per workflow */
            maxWorkflowStorage?: number | null;
            /** @description Gi, for each workspace of a single run */
            maxWorkflowRunStorage?: number | null;
            /** @description Maximum active minutes of a run; time spent waiting doesn't count */
            maxWorkflowRunDuration?: number | null;
            /** @description Maximum number of active runs of a team; runs that only wait don't count */
            maxConcurrentRuns?: number | null;
            /** @description Maximum number of runs of a team that have started and only wait */
            maxWaitingRuns?: number | null;
            currentWorkflowCount: number;
            /** @description Runs submitted this month */
            currentRuns: number;
            currentConcurrentRuns: number;
            /** @description Runs that have started and only wait now */
            currentWaitingRuns: number;
            /** @description Milliseconds, of the ended runs of this month */
            currentRunTotalDuration: number;
            /** @description Milliseconds, of the ended runs of this month */
            currentRunMedianDuration: number;
            /**
             * Format: date-time
             * @description When the number of runs resets
             */
            monthlyResetDate: string;
        };
        /**
         * @example {
         *       "id": "0198c1de-7d96-7b23-9e54-5a6b7c8d9e01",
         *       "channel": "webhook",
         *       "status": "delivered",
         *       "attempts": 1,
         *       "creationDate": "2026-03-01T12:00:00.000Z",
         *       "attemptDate": "2026-03-01T12:00:00.100Z",
         *       "endDate": "2026-03-01T12:00:00.150Z",
         *       "answerStatus": 204,
         *       "answer": "",
         *       "event": {
         *         "specversion": "1.0",
         *         "id": "0198c1de-7d93-7c35-af66-6b7c8d9e0f12",
         *         "source": "/api/v2/team/0198c1de-7d5c-7c3b-a1f0-2b7f6d2d9b1e",
         *         "type": "dev.millrace.workflowrun.failed",
         *         "subject": "/workflowrun/0198c1de-7d71-7e12-8a68-7c5b4d3e2f54/status/failed",
         *         "time": "2026-03-01T12:00:00.000Z",
         *         "datacontenttype": "application/json",
         *         "team": "hawks",
         *         "workflow": "welcome",
         *         "data": {
         *           "id": "0198c1de-7d71-7e12-8a68-7c5b4d3e2f54",
         *           "status": "failed",
         *           "phase": "completed"
         *         }
         *       }
         *     }
         */
        Delivery: {
            /** @description Header `webhook-id`: the same in each attempt */
            id: string;
            /** @enum {string} */
            channel: "webhook" | "email" | "chat" | "codehost";
            /**
             * @description pending: will be attempted; waiting: queued behind another delivery of the same run; delivered; dead: given up, can be replayed
             * @enum {string}
             */
            status: "waiting" | "pending" | "delivered" | "dead";
            attempts: number;
            creationDate: string;
            /** @description When the last attempt started */
            attemptDate?: string;
            /** @description When the next attempt starts; during an attempt, when it times out */
            nextAttemptDate?: string;
            /** @description When it was delivered or given up */
            endDate?: string;
            /** @description Status code of the last response */
            answerStatus?: number;
            /** @description The first 1 KiB of the last response, secrets masked */
            answer?: string;
            /** @description Why the last attempt failed */
            error?: string;
            /** @description The CloudEvent */
            event: {
                [key: string]: unknown;
            };
        };
        DurationPercentiles: {
            /** Format: int64 */
            p50: number | null;
            /** Format: int64 */
            p90: number | null;
            /** Format: int64 */
            p95: number | null;
            /** Format: int64 */
            p99: number | null;
            /** Format: int64 */
            max: number | null;
        };
        /**
         * @example {
         *       "timestamp": "2026-03-01T12:00:00.000Z",
         *       "code": 1101,
         *       "reason": "TEAM_INVALID_REF",
         *       "message": "There is no team hawks",
         *       "status": "404 NOT_FOUND",
         *       "cause": null,
         *       "requestId": "0198c1de-7d5c-7c3b-a1f0-2b7f6d2d9b1e"
         *     }
         */
        ErrorBody: {
            /** Format: date-time */
            timestamp: string;
            /** @description Stable number of this kind of error */
            code: number;
            /**
             * @description Stable word that programs can rely on
             * @example BAD_REQUEST
             * @example VALIDATION_FAILED
             * @example UNAUTHENTICATED
             */
            reason: string;
            /** @description For people: what was wrong, with which value, and what would be valid */
            message: string;
            /** @example 404 NOT_FOUND */
            status: string;
            cause: null;
            /** @description The same as in the header x-request-id and in the log */
            requestId: string;
            errors?: components["schemas"]["ErrorItem"][];
        };
        ErrorItem: {
            /** @description Where: a JSON pointer into the body, the name of a parameter, or the index of an element */
            path: string;
            /** @description What is wrong, with which value, and what would be valid */
            message: string;
        };
        /**
         * @example {
         *       "exact": {
         *         "type": "order.placed"
         *       }
         *     }
         * @example {
         *       "sql": "type LIKE 'order.%' AND EXISTS subject"
         *     }
         */
        EventFilter: {
            /** @description Attributes that must all be the given text */
            exact?: {
                [key: string]: string;
            } | null;
            /** @description Attributes that must all begin with the given text */
            prefix?: {
                [key: string]: string;
            } | null;
            /** @description Attributes that must all end with the given text */
            suffix?: {
                [key: string]: string;
            } | null;
            /** @description All of these must match */
            all?: components["schemas"]["EventFilter"][] | null;
            /** @description One of these must match */
            any?: components["schemas"]["EventFilter"][] | null;
            not?: components["schemas"]["EventFilter"] | null;
            /** @description An expression in CloudEvents SQL 1.0 that must be true */
            sql?: string | null;
        };
        /**
         * @example {
         *       "hour": "2026-03-01T12:00:00.000Z",
         *       "network": "203.0.113.7",
         *       "way": "password",
         *       "reason": "wrong-password",
         *       "account": "ada@example.com",
         *       "count": 10,
         *       "firstDate": "2026-03-01T12:04:11.000Z",
         *       "lastDate": "2026-03-01T12:09:58.000Z"
         *     }
         */
        FailedSignIn: {
            /** Format: date-time */
            hour: string;
            /** @description Address, or the /64 network of an IPv6 one; * for all those beyond the first 500 rows of the hour */
            network: string;
            /** @description password, password-code, activation, oidc, token or proxy; * for all those beyond the first 20 of the network */
            way: string;
            reason: string;
            /** @description Address of the user it was tried for; null where there is no such user, or none was named */
            account: string | null;
            count: number;
            /** Format: date-time */
            firstDate: string;
            /** Format: date-time */
            lastDate: string;
        };
        /**
         * @example {
         *       "features": {
         *         "team.quotas": true,
         *         "workflow.tokens": true,
         *         "insights": false
         *       },
         *       "quotas": {
         *         "maxActivityStorageSize": "2Gi",
         *         "maxWorkflowStorageSize": "2Gi"
         *       }
         *     }
         */
        Features: {
            /** @description By name: whether it is on */
            features: {
                [key: string]: boolean;
            };
            /** @description Sizes of storage, for older clients */
            quotas?: {
                [key: string]: string;
            };
        };
        ForEach: {
            /** @description A list, or text with a reference that resolves to one: $(tasks.list files.results.names) */
            items: unknown[] | string;
            /** @description Items that run at the same time; default 10 */
            parallel?: number | null;
        };
        FormParam: {
            name?: string;
            /** @description Older spelling of name */
            key?: string;
            label?: string;
            type?: string;
            placeholder?: string;
            helpertext?: string;
            language?: string;
            options?: components["schemas"]["KeyValuePair"][];
            minValueLength?: number;
            maxValueLength?: number;
            required?: boolean;
            disabled?: boolean;
            readOnly?: boolean;
            hiddenValue?: boolean;
        } & {
            [key: string]: unknown;
        };
        HeaderFeatures: {
            "notifications.enabled": boolean;
            "support.enabled": boolean;
            "docs.enabled": boolean;
            "internal.enabled": boolean;
            "consent.enabled": boolean;
        };
        HeaderNavigation: {
            name?: string;
            url?: string;
            isDropdown?: boolean;
            options?: components["schemas"]["HeaderOption"][];
        };
        /**
         * @example {
         *       "platform": {
         *         "name": "Example Millrace",
         *         "version": "0.1.0",
         *         "appName": "Millrace",
         *         "platformName": "Example",
         *         "signOutUrl": "https://login.example.com/sign-out",
         *         "communityUrl": "",
         *         "displayLogo": true,
         *         "logoURL": "",
         *         "privateTeams": false,
         *         "sendMail": false,
         *         "baseServicesUrl": "https://millrace.example.com/api/v2",
         *         "baseEnvUrl": "https://millrace.example.com"
         *       },
         *       "features": {
         *         "notifications.enabled": false,
         *         "support.enabled": false,
         *         "docs.enabled": true,
         *         "internal.enabled": true,
         *         "consent.enabled": false
         *       },
         *       "navigation": [],
         *       "featuredServices": null,
         *       "platformMessage": null
         *     }
         */
        HeaderNavigationResponse: {
            platform: components["schemas"]["HeaderPlatform"];
            features: components["schemas"]["HeaderFeatures"];
            navigation: components["schemas"]["HeaderNavigation"][];
            featuredServices?: components["schemas"]["HeaderOption"][] | null;
            platformMessage?: components["schemas"]["HeaderPlatformMessage"] | null;
        };
        HeaderOption: {
            name?: string;
            url?: string;
            templateId?: string;
            imageId?: string;
        };
        HeaderPlatform: {
            /** @description Platform name and application name, separated by a space */
            name: string;
            /** @description Of the service */
            version: string;
            appName: string;
            platformName: string;
            /** @description Where the browser goes to sign out; empty when there is no such place */
            signOutUrl: string;
            communityUrl: string;
            displayLogo: boolean;
            logoURL: string;
            privateTeams: boolean;
            sendMail: boolean;
            /** @description Where this API is */
            baseServicesUrl: string;
            /** @description Where this instance is */
            baseEnvUrl: string;
        };
        HeaderPlatformMessage: {
            kind?: string;
            title?: string;
            message?: string;
        };
        /**
         * @example {
         *       "kinds": [
         *         {
         *           "kind": "runs",
         *           "days": 180,
         *           "rows": 41200,
         *           "bytes": 92000000,
         *           "oldestDate": "2026-01-01T00:00:12.400Z"
         *         }
         *       ],
         *       "lastRemoval": {
         *         "beginDate": "2026-08-01T03:10:00.000Z",
         *         "endDate": "2026-08-01T03:10:04.200Z",
         *         "runs": 12,
         *         "logChunks": 0,
         *         "deliveries": 310,
         *         "events": 0,
         *         "auditRecords": 0,
         *         "partitions": [
         *           "run_202601",
         *           "task_run_202601",
         *           "task_run_attempt_202601"
         *         ]
         *       },
         *       "nextRemovalDate": "2026-08-01T04:10:00.000Z"
         *     }
         */
        History: {
            kinds: components["schemas"]["HistoryFigures"][];
            /** @description null before the first one */
            lastRemoval: components["schemas"]["HistoryRemoval"] | null;
            /**
             * Format: date-time
             * @description When the next removal is due; null until a process with the role engine has started
             */
            nextRemovalDate: string | null;
        };
        HistoryFigures: {
            /** @enum {unknown} */
            kind: "runs" | "logs" | "deliveries" | "audit";
            /** @description Number of days it is kept; 0 is forever */
            days: number;
            /** @description Of runs, chunks of logs, deliveries and audit records, as the database estimates them */
            rows: number;
            /** @description On the disk of the database, with indexes */
            bytes: number;
            /**
             * Format: date-time
             * @description When the oldest was created; of deliveries, when it ended
             */
            oldestDate: string | null;
        };
        HistoryRemoval: {
            /** Format: date-time */
            beginDate: string;
            /**
             * Format: date-time
             * @description null while it is in progress
             */
            endDate: string | null;
            /** @description Removed in batches; rows of dropped partitions are not counted. The same for log chunks, events and audit records */
            runs: number;
            logChunks: number;
            deliveries: number;
            events: number;
            auditRecords: number;
            /**
             * @description Dropped as a whole: a table and a month
             * @example [
             *       "run_202601",
             *       "task_run_202601"
             *     ]
             */
            partitions: string[];
        };
        InsightDay: {
            /** @description YYYY-MM-DD in the requested time zone */
            date: string;
            total: number;
            succeeded: number;
            /** @description Failed, timed out or invalid; a cancelled run is neither failed nor succeeded */
            failed: number;
            /**
             * Format: int64
             * @description The median, in milliseconds; 0 if no run has ended
             */
            medianDuration: number;
        };
        InsightTeam: {
            teamRef: string;
            teamName?: string;
            total: number;
            succeeded: number;
            /** @description Failed, timed out or invalid; a cancelled run is neither failed nor succeeded */
            failed: number;
            /** @description succeeded / (succeeded + failed); null if there are none */
            successRate: number | null;
            /** Format: int64 */
            totalDuration: number;
            /**
             * Format: int64
             * @description The median, in milliseconds; 0 if no run has ended
             */
            medianDuration: number;
            /** Format: int64 */
            p95Duration: number;
        };
        InsightWorkflow: {
            workflowRef: string;
            teamRef: string;
            workflowName?: string;
            workflowDisplayName?: string;
            /** @description Its runs count as long as they are kept */
            isDeleted: boolean;
            total: number;
            succeeded: number;
            /** @description Failed, timed out or invalid; a cancelled run is neither failed nor succeeded */
            failed: number;
            /** @description succeeded / (succeeded + failed); null if there are none */
            successRate: number | null;
            /** Format: int64 */
            totalDuration: number;
            /**
             * Format: int64
             * @description The median, in milliseconds; 0 if no run has ended
             */
            medianDuration: number;
            /** Format: int64 */
            p95Duration: number;
        };
        /**
         * @example {
         *       "id": "codehost_app",
         *       "name": "Code host",
         *       "link": "https://codehost.example.com/apps/millrace-hawks/installations/select_target",
         *       "icon": "codehost",
         *       "status": "linked",
         *       "description": "Starts workflows on events of your repositories.",
         *       "instructions": "Install the app in your organization with the link, and select the repositories that it can access.",
         *       "ref": "0198c1de-7d8a-7f3d-98cd-7d6e5f4a3ba9",
         *       "isConfigured": true
         *     }
         */
        Integration: {
            /**
             * @example codehost_app
             * @example chat
             */
            id: string;
            name: string;
            /** @description Where to connect it; empty while the instance has no settings for it */
            link: string;
            icon: string;
            /** @enum {string} */
            status: "linked" | "unlinked";
            description: string;
            /** @description Markdown */
            instructions: string;
            /** @description ID of the installation that the team is linked to */
            ref?: string;
            /** @description Whether the instance has the settings that it needs */
            isConfigured: boolean;
        };
        KeyValuePair: {
            key: string;
            value?: string;
        };
        LogLine: {
            /** @description ISO 8601 in UTC */
            time: string;
            step: string;
            /**
             * @description `system` is written by the service. Missing if standard output and standard error are merged, which keeps their order; set if they were read separately
             * @enum {string}
             */
            stream?: "stdout" | "stderr" | "system";
            /** @description Without the line end; secrets are masked */
            text: string;
        };
        Metadata: {
            name: string;
            /** @description Merged into the existing ones; null removes one */
            labels?: {
                [key: string]: string | null;
            };
            annotations?: {
                "millrace.dev/params"?: string | components["schemas"]["FormParam"][];
                "boomerang.io/params"?: string | components["schemas"]["FormParam"][];
            } & {
                [key: string]: string | unknown[] | Record<string, never> | null;
            };
            namespace?: unknown;
            generateName?: unknown;
            uid?: unknown;
            resourceVersion?: unknown;
            generation?: unknown;
            creationTimestamp?: unknown;
            selfLink?: unknown;
            managedFields?: unknown;
            ownerReferences?: unknown;
            finalizers?: unknown;
        } & {
            [key: string]: unknown;
        };
        /**
         * @example {
         *       "name": "Workflows",
         *       "type": "link",
         *       "icon": "FlowData",
         *       "link": "/hawks/workflows",
         *       "disabled": false,
         *       "beta": false
         *     }
         */
        Navigation: {
            name?: string;
            /** @enum {unknown} */
            type: "link" | "menu" | "divider";
            icon?: string;
            /** @description Path in the user interface; a link of a team has none if no team is selected */
            link?: string;
            /** @description It needs a team, and none was given */
            disabled: boolean;
            beta: boolean;
            childLinks?: components["schemas"]["Navigation"][];
        };
        /**
         * @example {
         *       "otc": "7QK2M-0XW4D-P9T3C-ZB1RH",
         *       "email": "admin@example.com",
         *       "password": "correct horse battery"
         *     }
         */
        OneTimeCode: {
            /** @description The code that the first start wrote to `one-time-code` in the data folder */
            otc?: string | null;
            /** @description Of the first administrator; goes together with `password` */
            email?: string | null;
            /** @description Of the first administrator */
            password?: string | null;
        };
        /**
         * @example {
         *       "teams": [
         *         {
         *           "id": "0198c1de-7d5c-7c3b-a1f0-2b7f6d2d9b1e",
         *           "name": "hawks",
         *           "displayName": "Hawks",
         *           "status": "active",
         *           "workflows": 1,
         *           "members": 3,
         *           "openActions": 1,
         *           "runningRuns": 1
         *         }
         *       ],
         *       "totalTeams": 1,
         *       "actions": [],
         *       "runs": []
         *     }
         */
        Overview: {
            /** @description By name; the first hundred */
            teams: components["schemas"]["OverviewTeam"][];
            totalTeams: number;
            /** @description Open actions on which the caller can vote and hasn't, oldest first */
            actions: components["schemas"]["Action"][];
            /** @description The latest first */
            runs: components["schemas"]["OverviewRun"][];
        };
        OverviewRun: {
            id: string;
            teamName: string;
            teamDisplayName: string;
            workflowRef: string;
            workflowName: string;
            workflowDisplayName: string;
            /** @enum {string} */
            status: "notstarted" | "ready" | "running" | "waiting" | "succeeded" | "failed" | "invalid" | "skipped" | "cancelled" | "timedout";
            /** @enum {string} */
            phase: "pending" | "queued" | "running" | "completed" | "finalized";
            /** @enum {string} */
            trigger: "manual" | "schedule" | "webhook" | "event" | "codehost" | "workflow" | "engine" | "task";
            awaitingApproval: boolean;
            /** @description ID of the user, token or schedule; of the run whose task or end started it; or one of the instance's own: webhook, codehost or chat */
            initiatedByRef?: string;
            /**
             * @description workflow: a task or the end of another run
             * @enum {string}
             */
            initiatedByType?: "user" | "token" | "workflow" | "schedule" | "instance";
            /** @description Its current name: of a workflow if another run started it; absent if it was deleted */
            initiatedByName?: string;
            creationDate: string;
            startTime?: string;
            /**
             * Format: int64
             * @description Milliseconds from start to end; 0 until it ends
             */
            duration: number;
        };
        OverviewTeam: {
            id: string;
            name: string;
            displayName: string;
            /** @enum {string} */
            status: "active" | "inactive";
            workflows: number;
            members: number;
            /** @description Including those assigned to others */
            openActions: number;
            runningRuns: number;
        };
        /**
         * @example {
         *       "content": [
         *         {
         *           "id": "0198c1de-7d78-7c09-b58a-2b1c0d9e8f76",
         *           "taskRunRef": "0198c1de-7d72-7f83-a479-9d8e7f6a5b65",
         *           "taskName": "ask",
         *           "workflowRunRef": "0198c1de-7d71-7e12-8a68-7c5b4d3e2f54",
         *           "workflowRef": "0198c1de-7d6b-7d44-b2c3-1f0a8e5d4c32",
         *           "workflowName": "welcome",
         *           "teamName": "hawks",
         *           "type": "approval",
         *           "status": "submitted",
         *           "instructions": "Does it sound friendly?",
         *           "creationDate": "2026-03-01T12:00:00.000Z",
         *           "deadline": null,
         *           "reminder": null,
         *           "reminderDate": null,
         *           "actioners": [],
         *           "numberOfApprovers": 1,
         *           "numberOfApprovals": 0,
         *           "approvalsRequired": 1,
         *           "approverGroupRef": null,
         *           "approverGroupName": null,
         *           "approverRefs": null,
         *           "reminderCount": 0,
         *           "requesterMayNotApprove": false
         *         }
         *       ],
         *       "number": 0,
         *       "size": 10,
         *       "numberOfElements": 1,
         *       "totalElements": 1,
         *       "totalPages": 1,
         *       "first": true,
         *       "last": true,
         *       "empty": false,
         *       "sort": {
         *         "sorted": true,
         *         "unsorted": false,
         *         "empty": false
         *       },
         *       "pageable": {
         *         "pageNumber": 0,
         *         "pageSize": 10,
         *         "offset": 0,
         *         "paged": true,
         *         "unpaged": false,
         *         "sort": {
         *           "sorted": true,
         *           "unsorted": false,
         *           "empty": false
         *         }
         *       }
         *     }
         */
        PageAction: {
            content: components["schemas"]["Action"][];
            /** @description Index of this page, zero-based */
            number: number;
            /** @description The requested limit */
            size: number;
            numberOfElements: number;
            /** @description Matching items on all pages */
            totalElements: number;
            totalPages: number;
            first: boolean;
            last: boolean;
            empty: boolean;
            sort: components["schemas"]["PageSort"];
            pageable: components["schemas"]["PageableObject"];
        };
        /**
         * @example {
         *       "content": [
         *         {
         *           "id": "0198c1de-7d96-7b5f-baef-9f807b6c5dcb",
         *           "date": "2026-03-01T12:00:00.000Z",
         *           "team": {
         *             "id": "0198c1de-7d5c-7c3b-a1f0-2b7f6d2d9b1e",
         *             "name": "hawks"
         *           },
         *           "actor": {
         *             "principal": "user:0198c1de-7d60-7a51-9f22-0c4e6e1f7a10",
         *             "type": "user",
         *             "name": "ada@example.com",
         *             "tokenRef": "0198c1de-7d84-7e2c-87bc-6c5d4e3f2a98"
         *           },
         *           "action": "team/write",
         *           "object": {
         *             "kind": "team",
         *             "id": "0198c1de-7d5c-7c3b-a1f0-2b7f6d2d9b1e",
         *             "name": "hawks"
         *           },
         *           "requestId": "0198c1de-7d90-7a4e-a9de-8e7f6a5b4cba",
         *           "before": {
         *             "name": "hawks",
         *             "displayName": "Hawks"
         *           },
         *           "after": {
         *             "name": "hawks",
         *             "displayName": "The Hawks"
         *           }
         *         }
         *       ],
         *       "number": 0,
         *       "size": 10,
         *       "numberOfElements": 1,
         *       "totalElements": 1,
         *       "totalPages": 1,
         *       "first": true,
         *       "last": true,
         *       "empty": false,
         *       "sort": {
         *         "sorted": true,
         *         "unsorted": false,
         *         "empty": false
         *       },
         *       "pageable": {
         *         "pageNumber": 0,
         *         "pageSize": 10,
         *         "offset": 0,
         *         "paged": true,
         *         "unpaged": false,
         *         "sort": {
         *           "sorted": true,
         *           "unsorted": false,
         *           "empty": false
         *         }
         *       }
         *     }
         */
        PageAuditEntry: {
            content: components["schemas"]["AuditEntry"][];
            /** @description Index of this page, zero-based */
            number: number;
            /** @description The requested limit */
            size: number;
            numberOfElements: number;
            /** @description Matching items on all pages */
            totalElements: number;
            totalPages: number;
            first: boolean;
            last: boolean;
            empty: boolean;
            sort: components["schemas"]["PageSort"];
            pageable: components["schemas"]["PageableObject"];
        };
        /**
         * @example {
         *       "content": [
         *         {
         *           "id": "0198c1de-7d96-7b23-9e54-5a6b7c8d9e01",
         *           "channel": "webhook",
         *           "status": "delivered",
         *           "attempts": 1,
         *           "creationDate": "2026-03-01T12:00:00.000Z",
         *           "attemptDate": "2026-03-01T12:00:00.100Z",
         *           "endDate": "2026-03-01T12:00:00.150Z",
         *           "answerStatus": 204,
         *           "answer": "",
         *           "event": {
         *             "specversion": "1.0",
         *             "id": "0198c1de-7d93-7c35-af66-6b7c8d9e0f12",
         *             "source": "/api/v2/team/0198c1de-7d5c-7c3b-a1f0-2b7f6d2d9b1e",
         *             "type": "dev.millrace.workflowrun.failed",
         *             "subject": "/workflowrun/0198c1de-7d71-7e12-8a68-7c5b4d3e2f54/status/failed",
         *             "time": "2026-03-01T12:00:00.000Z",
         *             "datacontenttype": "application/json",
         *             "team": "hawks",
         *             "workflow": "welcome",
         *             "data": {
         *               "id": "0198c1de-7d71-7e12-8a68-7c5b4d3e2f54",
         *               "status": "failed",
         *               "phase": "completed"
         *             }
         *           }
         *         }
         *       ],
         *       "number": 0,
         *       "size": 10,
         *       "numberOfElements": 1,
         *       "totalElements": 1,
         *       "totalPages": 1,
         *       "first": true,
         *       "last": true,
         *       "empty": false,
         *       "sort": {
         *         "sorted": true,
         *         "unsorted": false,
         *         "empty": false
         *       },
         *       "pageable": {
         *         "pageNumber": 0,
         *         "pageSize": 10,
         *         "offset": 0,
         *         "paged": true,
         *         "unpaged": false,
         *         "sort": {
         *           "sorted": true,
         *           "unsorted": false,
         *           "empty": false
         *         }
         *       }
         *     }
         */
        PageDelivery: {
            content: components["schemas"]["Delivery"][];
            /** @description Index of this page, zero-based */
            number: number;
            /** @description The requested limit */
            size: number;
            numberOfElements: number;
            /** @description Matching items on all pages */
            totalElements: number;
            totalPages: number;
            first: boolean;
            last: boolean;
            empty: boolean;
            sort: components["schemas"]["PageSort"];
            pageable: components["schemas"]["PageableObject"];
        };
        /**
         * @example {
         *       "content": [
         *         {
         *           "hour": "2026-03-01T12:00:00.000Z",
         *           "network": "203.0.113.7",
         *           "way": "password",
         *           "reason": "wrong-password",
         *           "account": "ada@example.com",
         *           "count": 10,
         *           "firstDate": "2026-03-01T12:04:11.000Z",
         *           "lastDate": "2026-03-01T12:09:58.000Z"
         *         }
         *       ],
         *       "number": 0,
         *       "size": 10,
         *       "numberOfElements": 1,
         *       "totalElements": 1,
         *       "totalPages": 1,
         *       "first": true,
         *       "last": true,
         *       "empty": false,
         *       "sort": {
         *         "sorted": true,
         *         "unsorted": false,
         *         "empty": false
         *       },
         *       "pageable": {
         *         "pageNumber": 0,
         *         "pageSize": 10,
         *         "offset": 0,
         *         "paged": true,
         *         "unpaged": false,
         *         "sort": {
         *           "sorted": true,
         *           "unsorted": false,
         *           "empty": false
         *         }
         *       }
         *     }
         */
        PageFailedSignIn: {
            content: components["schemas"]["FailedSignIn"][];
            /** @description Index of this page, zero-based */
            number: number;
            /** @description The requested limit */
            size: number;
            numberOfElements: number;
            /** @description Matching items on all pages */
            totalElements: number;
            totalPages: number;
            first: boolean;
            last: boolean;
            empty: boolean;
            sort: components["schemas"]["PageSort"];
            pageable: components["schemas"]["PageableObject"];
        };
        /**
         * @example {
         *       "content": [
         *         {
         *           "workflowRef": "0198c1de-7d6b-7d44-b2c3-1f0a8e5d4c32",
         *           "workflowName": "welcome",
         *           "outcome": "submitted",
         *           "workflowRunRef": "0198c1de-7d71-7e12-8a68-7c5b4d3e2f54",
         *           "date": "2026-03-01T12:00:04.200Z"
         *         }
         *       ],
         *       "number": 0,
         *       "size": 10,
         *       "numberOfElements": 1,
         *       "totalElements": 1,
         *       "totalPages": 1,
         *       "first": true,
         *       "last": true,
         *       "empty": false,
         *       "sort": {
         *         "sorted": true,
         *         "unsorted": false,
         *         "empty": false
         *       },
         *       "pageable": {
         *         "pageNumber": 0,
         *         "pageSize": 10,
         *         "offset": 0,
         *         "paged": true,
         *         "unpaged": false,
         *         "sort": {
         *           "sorted": true,
         *           "unsorted": false,
         *           "empty": false
         *         }
         *       }
         *     }
         */
        PageRunFollowUp: {
            content: components["schemas"]["RunFollowUp"][];
            /** @description Index of this page, zero-based */
            number: number;
            /** @description The requested limit */
            size: number;
            numberOfElements: number;
            /** @description Matching items on all pages */
            totalElements: number;
            totalPages: number;
            first: boolean;
            last: boolean;
            empty: boolean;
            sort: components["schemas"]["PageSort"];
            pageable: components["schemas"]["PageableObject"];
        };
        /**
         * @example {
         *       "content": [
         *         {
         *           "scheduledDate": "2026-03-01T12:00:00.000Z",
         *           "date": "2026-03-01T12:00:04.200Z",
         *           "outcome": "submitted",
         *           "count": 1,
         *           "workflowRunRef": "0198c1de-7d71-7e12-8a68-7c5b4d3e2f54"
         *         }
         *       ],
         *       "number": 0,
         *       "size": 10,
         *       "numberOfElements": 1,
         *       "totalElements": 1,
         *       "totalPages": 1,
         *       "first": true,
         *       "last": true,
         *       "empty": false,
         *       "sort": {
         *         "sorted": true,
         *         "unsorted": false,
         *         "empty": false
         *       },
         *       "pageable": {
         *         "pageNumber": 0,
         *         "pageSize": 10,
         *         "offset": 0,
         *         "paged": true,
         *         "unpaged": false,
         *         "sort": {
         *           "sorted": true,
         *           "unsorted": false,
         *           "empty": false
         *         }
         *       }
         *     }
         */
        PageScheduleFiring: {
            content: components["schemas"]["ScheduleFiring"][];
            /** @description Index of this page, zero-based */
            number: number;
            /** @description The requested limit */
            size: number;
            numberOfElements: number;
            /** @description Matching items on all pages */
            totalElements: number;
            totalPages: number;
            first: boolean;
            last: boolean;
            empty: boolean;
            sort: components["schemas"]["PageSort"];
            pageable: components["schemas"]["PageableObject"];
        };
        PageSort: {
            sorted: boolean;
            unsorted: boolean;
            /** @description True if there is no sort order */
            empty: boolean;
        };
        /**
         * @example {
         *       "content": [
         *         {
         *           "id": "0198c1de-7d90-7a11-8d42-4f5e6a7b8c90",
         *           "name": "failed runs",
         *           "channel": "webhook",
         *           "isActive": true,
         *           "filters": [
         *             {
         *               "exact": {
         *                 "type": "dev.millrace.workflowrun.failed"
         *               }
         *             }
         *           ],
         *           "target": {
         *             "url": "https://example.com/hooks/millrace"
         *           },
         *           "secret": "",
         *           "hiddenValue": true,
         *           "creationDate": "2026-03-01T12:00:00.000Z",
         *           "changeDate": "2026-03-01T12:00:00.000Z"
         *         }
         *       ],
         *       "number": 0,
         *       "size": 10,
         *       "numberOfElements": 1,
         *       "totalElements": 1,
         *       "totalPages": 1,
         *       "first": true,
         *       "last": true,
         *       "empty": false,
         *       "sort": {
         *         "sorted": true,
         *         "unsorted": false,
         *         "empty": false
         *       },
         *       "pageable": {
         *         "pageNumber": 0,
         *         "pageSize": 10,
         *         "offset": 0,
         *         "paged": true,
         *         "unpaged": false,
         *         "sort": {
         *           "sorted": true,
         *           "unsorted": false,
         *           "empty": false
         *         }
         *       }
         *     }
         */
        PageSubscription: {
            content: components["schemas"]["Subscription"][];
            /** @description Index of this page, zero-based */
            number: number;
            /** @description The requested limit */
            size: number;
            numberOfElements: number;
            /** @description Matching items on all pages */
            totalElements: number;
            totalPages: number;
            first: boolean;
            last: boolean;
            empty: boolean;
            sort: components["schemas"]["PageSort"];
            pageable: components["schemas"]["PageableObject"];
        };
        /**
         * @example {
         *       "content": [
         *         {
         *           "labels": {
         *             "stage": "test"
         *           },
         *           "annotations": {},
         *           "workspaces": [],
         *           "creationDate": "2026-03-01T12:00:00.000Z",
         *           "startTime": "2026-03-01T12:00:00.000Z",
         *           "status": "succeeded",
         *           "workflowRef": "0198c1de-7d6b-7d44-b2c3-1f0a8e5d4c32",
         *           "workflowName": "welcome",
         *           "workflowRevisionRef": "0198c1de-7d6c-7aa1-9c57-3e2d1b0f9e43",
         *           "id": "0198c1de-7d72-7f83-a479-9d8e7f6a5b65",
         *           "type": "template",
         *           "name": "say hello",
         *           "duration": 4200,
         *           "params": [
         *             {
         *               "name": "who",
         *               "value": "Ada"
         *             }
         *           ],
         *           "results": [
         *             {
         *               "name": "greeting",
         *               "value": "hello Ada"
         *             }
         *           ],
         *           "phase": "completed",
         *           "attempt": 1,
         *           "taskRef": "0198c1de-7d66-7b0c-8d31-5a9d7c3e2b21",
         *           "taskName": "greet",
         *           "taskVersion": 1,
         *           "workflowRunRef": "0198c1de-7d71-7e12-8a68-7c5b4d3e2f54"
         *         }
         *       ],
         *       "number": 0,
         *       "size": 10,
         *       "numberOfElements": 1,
         *       "totalElements": 1,
         *       "totalPages": 1,
         *       "first": true,
         *       "last": true,
         *       "empty": false,
         *       "sort": {
         *         "sorted": true,
         *         "unsorted": false,
         *         "empty": false
         *       },
         *       "pageable": {
         *         "pageNumber": 0,
         *         "pageSize": 10,
         *         "offset": 0,
         *         "paged": true,
         *         "unpaged": false,
         *         "sort": {
         *           "sorted": true,
         *           "unsorted": false,
         *           "empty": false
         *         }
         *       }
         *     }
         */
        PageTaskRun: {
            content: components["schemas"]["TaskRun"][];
            /** @description Index of this page, zero-based */
            number: number;
            /** @description The requested limit */
            size: number;
            numberOfElements: number;
            /** @description Matching items on all pages */
            totalElements: number;
            totalPages: number;
            first: boolean;
            last: boolean;
            empty: boolean;
            sort: components["schemas"]["PageSort"];
            pageable: components["schemas"]["PageableObject"];
        };
        /**
         * @example {
         *       "content": [
         *         {
         *           "id": "0198c1de-7d5c-7c3b-a1f0-2b7f6d2d9b1e",
         *           "name": "hawks",
         *           "displayName": "The Hawks",
         *           "creationDate": "2026-03-01T12:00:00.000Z",
         *           "status": "active",
         *           "externalRef": null,
         *           "labels": {
         *             "stage": "test"
         *           },
         *           "parameters": [
         *             {
         *               "name": "region",
         *               "type": "text",
         *               "value": "north"
         *             }
         *           ],
         *           "quotas": {
         *             "maxWorkflowCount": 25,
         *             "maxWorkflowRunMonthly": 300,
         *             "maxWorkflowStorage": 2,
         *             "maxWorkflowRunStorage": 2,
         *             "maxWorkflowRunDuration": 120,
         *             "maxConcurrentRuns": 4,
         *             "maxWaitingRuns": 100000,
         *             "currentWorkflowCount": 1,
         *             "currentRuns": 17,
         *             "currentConcurrentRuns": 1,
         *             "currentWaitingRuns": 2,
         *             "currentRunTotalDuration": 9,
         *             "currentRunMedianDuration": 1,
         *             "monthlyResetDate": "2026-04-01T00:00:00.000Z"
         *           },
         *           "members": [
         *             {
         *               "id": "0198c1de-7d60-7a51-9f22-0c4e6e1f7a10",
         *               "email": "owner@example.com",
         *               "name": "Ada",
         *               "role": "owner"
         *             }
         *           ],
         *           "workflows": [],
         *           "approverGroups": [
         *             {
         *               "id": "0198c1de-7d84-7e2c-87bc-6c5d4e3f2a98",
         *               "name": "leads",
         *               "creationDate": "2026-03-01T12:00:00.000Z",
         *               "approvers": [
         *                 {
         *                   "id": "0198c1de-7d60-7a51-9f22-0c4e6e1f7a10",
         *                   "email": "owner@example.com",
         *                   "name": "Ada",
         *                   "role": "owner"
         *                 }
         *               ]
         *             }
         *           ],
         *           "allowHostNetwork": false,
         *           "retention": {
         *             "logs": 7
         *           },
         *           "retentionInForce": {
         *             "runs": 180,
         *             "logs": 7,
         *             "deliveries": 30
         *           }
         *         }
         *       ],
         *       "number": 0,
         *       "size": 10,
         *       "numberOfElements": 1,
         *       "totalElements": 1,
         *       "totalPages": 1,
         *       "first": true,
         *       "last": true,
         *       "empty": false,
         *       "sort": {
         *         "sorted": true,
         *         "unsorted": false,
         *         "empty": false
         *       },
         *       "pageable": {
         *         "pageNumber": 0,
         *         "pageSize": 10,
         *         "offset": 0,
         *         "paged": true,
         *         "unpaged": false,
         *         "sort": {
         *           "sorted": true,
         *           "unsorted": false,
         *           "empty": false
         *         }
         *       }
         *     }
         */
        PageTeam: {
            content: components["schemas"]["Team"][];
            /** @description Index of this page, zero-based */
            number: number;
            /** @description The requested limit */
            size: number;
            numberOfElements: number;
            /** @description Matching items on all pages */
            totalElements: number;
            totalPages: number;
            first: boolean;
            last: boolean;
            empty: boolean;
            sort: components["schemas"]["PageSort"];
            pageable: components["schemas"]["PageableObject"];
        };
        /**
         * @example {
         *       "content": [
         *         {
         *           "id": "0198c1de-7d84-7e2c-87bc-6c5d4e3f2a98",
         *           "type": "team",
         *           "name": "pipeline",
         *           "description": null,
         *           "creationDate": "2026-03-01T12:00:00.000Z",
         *           "expirationDate": null,
         *           "lastUsedDate": null,
         *           "valid": true,
         *           "principal": "0198c1de-7d5c-7c3b-a1f0-2b7f6d2d9b1e",
         *           "permissions": [
         *             {
         *               "scope": "team",
         *               "principal": "0198c1de-7d5c-7c3b-a1f0-2b7f6d2d9b1e",
         *               "actions": [
         *                 "workflow/read",
         *                 "workflow/action"
         *               ]
         *             }
         *           ]
         *         }
         *       ],
         *       "number": 0,
         *       "size": 10,
         *       "numberOfElements": 1,
         *       "totalElements": 1,
         *       "totalPages": 1,
         *       "first": true,
         *       "last": true,
         *       "empty": false,
         *       "sort": {
         *         "sorted": true,
         *         "unsorted": false,
         *         "empty": false
         *       },
         *       "pageable": {
         *         "pageNumber": 0,
         *         "pageSize": 10,
         *         "offset": 0,
         *         "paged": true,
         *         "unpaged": false,
         *         "sort": {
         *           "sorted": true,
         *           "unsorted": false,
         *           "empty": false
         *         }
         *       }
         *     }
         */
        PageToken: {
            content: components["schemas"]["Token"][];
            /** @description Index of this page, zero-based */
            number: number;
            /** @description The requested limit */
            size: number;
            numberOfElements: number;
            /** @description Matching items on all pages */
            totalElements: number;
            totalPages: number;
            first: boolean;
            last: boolean;
            empty: boolean;
            sort: components["schemas"]["PageSort"];
            pageable: components["schemas"]["PageableObject"];
        };
        /**
         * @example {
         *       "content": [
         *         {
         *           "id": "0198c1de-7d60-7a51-9f22-0c4e6e1f7a10",
         *           "email": "ada@example.com",
         *           "name": "Ada",
         *           "displayName": "Ada of the Hawks",
         *           "type": "user",
         *           "creationDate": "2026-03-01T12:00:00.000Z",
         *           "lastLoginDate": "2026-03-02T08:15:00.000Z",
         *           "status": "active",
         *           "labels": {
         *             "site": "london"
         *           },
         *           "settings": {
         *             "isFirstVisit": false,
         *             "isShowHelp": true,
         *             "hasConsented": true
         *           }
         *         }
         *       ],
         *       "number": 0,
         *       "size": 10,
         *       "numberOfElements": 1,
         *       "totalElements": 1,
         *       "totalPages": 1,
         *       "first": true,
         *       "last": true,
         *       "empty": false,
         *       "sort": {
         *         "sorted": true,
         *         "unsorted": false,
         *         "empty": false
         *       },
         *       "pageable": {
         *         "pageNumber": 0,
         *         "pageSize": 10,
         *         "offset": 0,
         *         "paged": true,
         *         "unpaged": false,
         *         "sort": {
         *           "sorted": true,
         *           "unsorted": false,
         *           "empty": false
         *         }
         *       }
         *     }
         */
        PageUser: {
            content: components["schemas"]["User"][];
            /** @description Index of this page, zero-based */
            number: number;
            /** @description The requested limit */
            size: number;
            numberOfElements: number;
            /** @description Matching items on all pages */
            totalElements: number;
            totalPages: number;
            first: boolean;
            last: boolean;
            empty: boolean;
            sort: components["schemas"]["PageSort"];
            pageable: components["schemas"]["PageableObject"];
        };
        /**
         * @example {
         *       "content": [
         *         {
         *           "labels": {
         *             "stage": "test"
         *           },
         *           "annotations": {},
         *           "workspaces": [],
         *           "creationDate": "2026-03-01T12:00:00.000Z",
         *           "startTime": "2026-03-01T12:00:00.000Z",
         *           "status": "succeeded",
         *           "workflowRef": "0198c1de-7d6b-7d44-b2c3-1f0a8e5d4c32",
         *           "workflowName": "welcome",
         *           "workflowRevisionRef": "0198c1de-7d6c-7aa1-9c57-3e2d1b0f9e43",
         *           "id": "0198c1de-7d71-7e12-8a68-7c5b4d3e2f54",
         *           "duration": 4200,
         *           "phase": "completed",
         *           "timeout": 120,
         *           "retries": 0,
         *           "debug": false,
         *           "awaitingApproval": false,
         *           "warningCount": 0,
         *           "workflowDisplayName": "Welcome",
         *           "workflowVersion": 1,
         *           "trigger": "manual",
         *           "initiatedByRef": "0198c1de-7d60-7a51-9f22-0c4e6e1f7a10",
         *           "initiatedByType": "user",
         *           "initiatedByName": "Ada",
         *           "params": [
         *             {
         *               "name": "name",
         *               "value": "Ada"
         *             }
         *           ],
         *           "results": [],
         *           "tasks": [
         *             {
         *               "labels": {
         *                 "stage": "test"
         *               },
         *               "annotations": {},
         *               "workspaces": [],
         *               "creationDate": "2026-03-01T12:00:00.000Z",
         *               "startTime": "2026-03-01T12:00:00.000Z",
         *               "status": "succeeded",
         *               "workflowRef": "0198c1de-7d6b-7d44-b2c3-1f0a8e5d4c32",
         *               "workflowName": "welcome",
         *               "workflowRevisionRef": "0198c1de-7d6c-7aa1-9c57-3e2d1b0f9e43",
         *               "id": "0198c1de-7d72-7f83-a479-9d8e7f6a5b65",
         *               "type": "template",
         *               "name": "say hello",
         *               "duration": 4200,
         *               "params": [
         *                 {
         *                   "name": "who",
         *                   "value": "Ada"
         *                 }
         *               ],
         *               "results": [
         *                 {
         *                   "name": "greeting",
         *                   "value": "hello Ada"
         *                 }
         *               ],
         *               "phase": "completed",
         *               "attempt": 1,
         *               "taskRef": "0198c1de-7d66-7b0c-8d31-5a9d7c3e2b21",
         *               "taskName": "greet",
         *               "taskVersion": 1,
         *               "workflowRunRef": "0198c1de-7d71-7e12-8a68-7c5b4d3e2f54"
         *             }
         *           ]
         *         }
         *       ],
         *       "number": 0,
         *       "size": 10,
         *       "numberOfElements": 1,
         *       "totalElements": 1,
         *       "totalPages": 1,
         *       "first": true,
         *       "last": true,
         *       "empty": false,
         *       "sort": {
         *         "sorted": true,
         *         "unsorted": false,
         *         "empty": false
         *       },
         *       "pageable": {
         *         "pageNumber": 0,
         *         "pageSize": 10,
         *         "offset": 0,
         *         "paged": true,
         *         "unpaged": false,
         *         "sort": {
         *           "sorted": true,
         *           "unsorted": false,
         *           "empty": false
         *         }
         *       }
         *     }
         */
        PageWorkflowRun: {
            content: components["schemas"]["WorkflowRun"][];
            /** @description Index of this page, zero-based */
            number: number;
            /** @description The requested limit */
            size: number;
            numberOfElements: number;
            /** @description Matching items on all pages */
            totalElements: number;
            totalPages: number;
            first: boolean;
            last: boolean;
            empty: boolean;
            sort: components["schemas"]["PageSort"];
            pageable: components["schemas"]["PageableObject"];
        };
        /**
         * @example {
         *       "content": [
         *         {
         *           "name": "weekday mornings",
         *           "workflowRef": "welcome",
         *           "type": "cron",
         *           "cronSchedule": "0 8 * * MON-FRI",
         *           "timezone": "Europe/Berlin",
         *           "params": [
         *             {
         *               "name": "name",
         *               "value": "everybody"
         *             }
         *           ],
         *           "overlapPolicy": "skip",
         *           "exclusions": [
         *             "2026-12-25",
         *             "2026-12-31/2027-01-02"
         *           ]
         *         }
         *       ],
         *       "number": 0,
         *       "size": 10,
         *       "numberOfElements": 1,
         *       "totalElements": 1,
         *       "totalPages": 1,
         *       "first": true,
         *       "last": true,
         *       "empty": false,
         *       "sort": {
         *         "sorted": true,
         *         "unsorted": false,
         *         "empty": false
         *       },
         *       "pageable": {
         *         "pageNumber": 0,
         *         "pageSize": 10,
         *         "offset": 0,
         *         "paged": true,
         *         "unpaged": false,
         *         "sort": {
         *           "sorted": true,
         *           "unsorted": false,
         *           "empty": false
         *         }
         *       }
         *     }
         */
        PageWorkflowSchedule: {
            content: components["schemas"]["WorkflowSchedule"][];
            /** @description Index of this page, zero-based */
            number: number;
            /** @description The requested limit */
            size: number;
            numberOfElements: number;
            /** @description Matching items on all pages */
            totalElements: number;
            totalPages: number;
            first: boolean;
            last: boolean;
            empty: boolean;
            sort: components["schemas"]["PageSort"];
            pageable: components["schemas"]["PageableObject"];
        };
        PageableObject: {
            pageNumber: number;
            pageSize: number;
            /** @description Items before this page */
            offset: number;
            paged: boolean;
            unpaged: boolean;
            sort: components["schemas"]["PageSort"];
        };
        ParamSpec: {
            name: string;
            /** @enum {unknown} */
            type?: "string" | "array" | "object";
            description?: string;
            /** @description A text, a list of texts or a map of texts */
            default?: string | string[] | {
                [key: string]: string;
            };
            enum?: string[];
            properties?: {
                [key: string]: {
                    type?: string;
                } & {
                    [key: string]: unknown;
                };
            };
        } & {
            [key: string]: unknown;
        };
        /**
         * @example {
         *       "current": "correct horse battery",
         *       "new": "staple with nine rivets"
         *     }
         */
        PasswordChange: {
            current: string;
            new: string;
        };
        /**
         * @example {
         *       "code": "7QK2M-0XW4D-P9T3C-ZB1RH",
         *       "expirationDate": "2026-03-02T12:00:00.000Z"
         *     }
         */
        PasswordCode: {
            /** @description Sets a new password once, with POST /api/v2/auth/password/reset. Shown only once */
            code: string;
            /** Format: date-time */
            expirationDate: string;
        };
        /**
         * @example {
         *       "email": "ada@example.com",
         *       "code": "7QK2M-0XW4D-P9T3C-ZB1RH",
         *       "new": "staple with nine rivets"
         *     }
         */
        PasswordReset: {
            /** @example ada@example.com */
            email: string;
            /** @description Created by an administrator */
            code: string;
            new: string;
        };
        /**
         * @example {
         *       "email": "ada@example.com",
         *       "password": "correct horse battery"
         *     }
         */
        PasswordSignIn: {
            /** @example ada@example.com */
            email: string;
            password: string;
        };
        QueueNeed: {
            /**
             * @description Kind of executor, or image: whatever runs images
             * @example process
             * @example image
             */
            executor: string;
            labels: string[];
            /** @description Task runs */
            waiting: number;
            /**
             * Format: date-time
             * @description Since when the first of them could be claimed
             */
            oldestDate: string;
            /** @description Why they are waiting */
            why: string;
        };
        QueueTeam: {
            id: string;
            name: string;
            displayName: string;
            /** @description Task runs that no worker has claimed yet */
            waiting: number;
            /**
             * Format: date-time
             * @description Since when the first of them could be claimed; null if none is waiting
             */
            oldestDate: string | null;
            /** @description Runs that wait for the team's quota or for the engine */
            queuedRuns: number;
        };
        /**
         * @example {
         *       "maxWorkflowCount": 25,
         *       "maxWorkflowRunMonthly": 300,
         *       "maxWorkflowStorage": 2,
         *       "maxWorkflowRunStorage": 2,
         *       "maxWorkflowRunDuration": 120,
         *       "maxConcurrentRuns": 4,
         *       "maxWaitingRuns": 100000
         *     }
         */
        Quotas: {
            /** @description Maximum number of workflows of a team */
            maxWorkflowCount?: number | null;
            /** @description Maximum number of runs submitted in a calendar month (UTC) */
            maxWorkflowRunMonthly?: number | null;
            /** @description Gi, for each workspace kept per workflow */
            maxWorkflowStorage?: number | null;
            /** @description Gi, for each workspace of a single run */
            maxWorkflowRunStorage?: number | null;
            /** @description Maximum active minutes of a run; time spent waiting doesn't count */
            maxWorkflowRunDuration?: number | null;
            /** @description Maximum number of active runs of a team; runs that only wait don't count */
            maxConcurrentRuns?: number | null;
            /** @description Maximum number of runs of a team that have started and only wait */
            maxWaitingRuns?: number | null;
        };
        RefusedRun: {
            /** @description ID of the workflow */
            workflowRef: string;
            workflowName: string;
            /** @example QUOTA_EXCEEDED */
            reason: string;
            message: string;
        };
        /**
         * @example {
         *       "count": 3
         *     }
         */
        ReplayCount: {
            /** @description Deliveries that are sent again */
            count: number;
        };
        ResolvedPermissions: {
            /** @enum {string} */
            scope: "session" | "user" | "team" | "workflow" | "global";
            /** @description ID of the team, workflow or user; ** for all */
            principal: string;
            /**
             * @description Permissions, resource/action
             * @example [
             *       "workflow/read",
             *       "workflow/action"
             *     ]
             */
            actions: string[];
        };
        ResultSpec: {
            name: string;
            description?: string;
            type?: unknown;
            properties?: unknown;
            value?: unknown;
        } & {
            [key: string]: unknown;
        };
        /**
         * @example {
         *       "runs": 180,
         *       "logs": 30,
         *       "deliveries": 30
         *     }
         */
        RetentionInForce: {
            /** @description Runs after they end, with everything that belongs to them, in days; 0 keeps them forever */
            runs: number;
            /** @description Logs after the end of their run, in days; 0 keeps them forever */
            logs: number;
            /** @description Deliveries of events after they were delivered or given up, in days; 0 keeps them forever */
            deliveries: number;
        };
        RetryPolicy: {
            /** @description Attempts after the first */
            count: number;
            /** @description Delay before the first retry; default 1,000 */
            backoffMs?: number | null;
            /** @description Factor for each further delay; default 2 */
            factor?: number | null;
            /** @description The longest delay; default 300,000 */
            maxBackoffMs?: number | null;
            /** @description What is retried; default failed and timedout */
            on?: ("failed" | "timedout")[] | null;
        };
        /**
         * @example {
         *       "id": "reader",
         *       "type": "team",
         *       "name": "reader",
         *       "description": "May read what the team has",
         *       "permissions": [
         *         "**\/read"
         *       ]
         *     }
         */
        Role: {
            id: string;
            /** @example team */
            type: string;
            /**
             * @example owner
             * @example editor
             * @example reader
             */
            name: string;
            description: string;
            permissions: string[];
        };
        /**
         * @example {
         *       "labels": {
         *         "keep": "true"
         *       }
         *     }
         */
        RunChange: {
            /** @description Merged into the existing ones; null removes one. A run with the label `keep` is exempt from retention */
            labels: {
                [key: string]: string | null;
            };
        };
        /**
         * @example {
         *       "workflowRef": "0198c1de-7d6b-7d44-b2c3-1f0a8e5d4c32",
         *       "workflowName": "welcome",
         *       "outcome": "submitted",
         *       "workflowRunRef": "0198c1de-7d71-7e12-8a68-7c5b4d3e2f54",
         *       "date": "2026-03-01T12:00:04.200Z"
         *     }
         */
        RunFollowUp: {
            /** @description ID of the workflow whose trigger matches */
            workflowRef: string;
            /** @description Absent if the workflow was deleted */
            workflowName?: string;
            /**
             * @description loop: the workflow is among those that led to the run; tooLong: the chain of workflows is too long
             * @enum {string}
             */
            outcome: "submitted" | "refused" | "loop" | "tooLong";
            /** @description ID of the submitted run */
            workflowRunRef?: string;
            /** @description Why there is no run */
            message?: string;
            date: string;
        };
        RunParam: {
            name: string;
            /** @description Any JSON value; always empty for a secret */
            value?: unknown;
            /** @description A secret is stored; reads never return it. Computed */
            hiddenValue?: boolean;
        };
        RunResult: {
            name: string;
            description?: string;
            /** @description Any JSON value */
            value?: unknown;
        };
        RunWarning: {
            /** @enum {string} */
            code: "UNRESOLVED_REFERENCE" | "CUT_BY_LIMIT" | "NO_EXECUTOR" | "SHARED_VARIABLE" | "PATTERN_NOT_TRIED";
            /** @description Name of the task run, if the list is that of a run */
            task?: string;
            /** @description The reference, parameter or member that it is about */
            reference: string;
            why: string;
        };
        /**
         * @example {
         *       "preview": true,
         *       "count": 1,
         *       "times": [
         *         {
         *           "scheduledDate": "2026-03-02T07:00:00.000Z",
         *           "isNew": false,
         *           "outcome": "submitted",
         *           "workflowRunRef": "0198c1de-7d71-7e12-8a68-7c5b4d3e2f54"
         *         },
         *         {
         *           "scheduledDate": "2026-03-03T07:00:00.000Z",
         *           "isNew": true,
         *           "outcome": "refused"
         *         }
         *       ]
         *     }
         */
        ScheduleBackfill: {
            preview: boolean;
            /** @description Number of runs that it starts, or would start */
            count: number;
            /** @description All times of the range, oldest first */
            times: components["schemas"]["ScheduleBackfillTime"][];
        };
        /**
         * @example {
         *       "from": "2026-03-01T00:00:00Z",
         *       "to": "2026-03-03T23:59:59Z",
         *       "preview": true
         *     }
         */
        ScheduleBackfillRequest: {
            /** @description Not before this time: ISO 8601 with an offset */
            from: string;
            /** @description Not after this time, and not after now */
            to: string;
            /** @description A parameter that receives the scheduled time of each run: ISO 8601 in UTC */
            timeParam?: string | null;
            /** @description Only returns the times, and starts nothing. Default false */
            preview?: boolean | null;
        };
        ScheduleBackfillTime: {
            /** @description ISO 8601 in UTC, without the jitter */
            scheduledDate: string;
            /** @description This backfill starts a run for it; false: it already has a run */
            isNew: boolean;
            /**
             * @description The recorded outcome of the time before the backfill
             * @enum {string}
             */
            outcome?: "submitted" | "skipped" | "missed" | "refused";
            /** @description ID of its run. For a new run, only if this is not a preview */
            workflowRunRef?: string;
        };
        /**
         * @example {
         *       "scheduledDate": "2026-03-01T12:00:00.000Z",
         *       "date": "2026-03-01T12:00:04.200Z",
         *       "outcome": "submitted",
         *       "count": 1,
         *       "workflowRunRef": "0198c1de-7d71-7e12-8a68-7c5b4d3e2f54"
         *     }
         */
        ScheduleFiring: {
            /** @description The scheduled time, without the jitter */
            scheduledDate: string;
            /** @description When it happened */
            date: string;
            /** @enum {string} */
            outcome: "submitted" | "skipped" | "missed" | "refused";
            /** @description How many times this entry stands for; more than 1 only if they were missed */
            count: number;
            /** @description ID of the submitted run */
            workflowRunRef?: string;
            message?: string;
        };
        SearchHit: {
            /** @enum {string} */
            kind: "team" | "workflow" | "task" | "template";
            id: string;
            name: string;
            displayName: string;
            /** @description Of its team; null for a team itself, a global task or a template */
            teamName: string | null;
            teamDisplayName: string | null;
            /**
             * @description Templates have none
             * @enum {string|null}
             */
            status: "active" | "inactive" | null;
        };
        /**
         * @example {
         *       "hits": [
         *         {
         *           "kind": "workflow",
         *           "id": "0198c1de-7d5c-7c3b-a1f0-2b7f6d2d9b1e",
         *           "name": "nightly-report",
         *           "displayName": "Nightly report",
         *           "teamName": "hawks",
         *           "teamDisplayName": "Hawks",
         *           "status": "active"
         *         }
         *       ]
         *     }
         */
        SearchResult: {
            /** @description By kind, in the order team, workflow, task, template; within a kind the best first */
            hits: components["schemas"]["SearchHit"][];
        };
        /**
         * @example {
         *       "id": "0198c1de-7d84-7e2c-87bc-6c5d4e3f2a98",
         *       "creationDate": "2026-03-02T08:15:00.000Z",
         *       "lastUsedDate": "2026-03-02T09:41:00.000Z",
         *       "expirationDate": "2026-03-09T08:15:00.000Z",
         *       "address": "192.0.2.17",
         *       "userAgent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
         *       "current": true
         *     }
         */
        Session: {
            id: string;
            /** Format: date-time */
            creationDate: string;
            /**
             * Format: date-time
             * @description To the minute
             */
            lastUsedDate: string | null;
            /**
             * Format: date-time
             * @description The latest end; it ends earlier if it is not used
             */
            expirationDate: string | null;
            /** @description From where it was begun */
            address: string | null;
            /** @description User agent of the browser */
            userAgent: string | null;
            /** @description Whether it is the session of this request */
            current: boolean;
        };
        /**
         * @example {
         *       "id": "teams",
         *       "key": "teams",
         *       "config": [
         *         {
         *           "key": "max.workflowrun.concurrent",
         *           "type": "number",
         *           "value": "100",
         *           "defaultValue": "100"
         *         }
         *       ]
         *     }
         */
        Setting: {
            /** @description The same as `key` */
            id?: string | null;
            /** @example teams */
            key?: string | null;
            name?: string | null;
            description?: string | null;
            tool?: string | null;
            /** @example ValuesList */
            type?: string | null;
            /** @description ISO 8601 in UTC; null if it was never changed */
            lastModified?: string | null;
            /** @description The same, in the published spelling */
            lastModiifed?: string | null;
            config?: components["schemas"]["SettingConfig"][] | null;
        };
        SettingConfig: {
            key: string;
            label?: string | null;
            description?: string | null;
            /**
             * @example text
             * @example url
             * @example number
             * @example boolean
             * @example select
             * @example secured
             */
            type?: string | null;
            /** @description Always text: "true", "25", "2Gi". A secret reads as empty */
            value?: string | null;
            /** @description The value if nothing else is set */
            defaultValue?: string | null;
            options?: components["schemas"]["KeyValuePair"][] | null;
            /** @description It can't be empty. Never set on a boolean */
            required?: boolean | null;
            minValueLength?: number | null;
            maxValueLength?: number | null;
            placeholder?: string | null;
            /** @description Allowed values */
            helperText?: string | null;
            language?: string | null;
            disabled?: boolean | null;
            readOnly?: boolean | null;
            /** @description It is a secret: the value is never shown */
            hiddenValue?: boolean | null;
            /** @description For a secret: keys of the settings that determine where it is sent. A request that changes one of them has to send the secret again */
            sentTo?: string[] | null;
        };
        SettingConfigInput: {
            key: string;
            label?: string | null;
            description?: string | null;
            /**
             * @example text
             * @example url
             * @example number
             * @example boolean
             * @example select
             * @example secured
             */
            type?: string | null;
            /**
             * @description The text, or the number or boolean for it. Absent or null: unchanged; the same for an empty secret
             * @example 2Gi
             * @example 8
             * @example true
             */
            value?: string | number | boolean | null;
            /** @description The value if nothing else is set */
            defaultValue?: string | null;
            options?: components["schemas"]["KeyValuePair"][] | null;
            /** @description It can't be empty. Never set on a boolean */
            required?: boolean | null;
            minValueLength?: number | null;
            maxValueLength?: number | null;
            placeholder?: string | null;
            /** @description Allowed values */
            helperText?: string | null;
            language?: string | null;
            disabled?: boolean | null;
            readOnly?: boolean | null;
            /** @description It is a secret: the value is never shown */
            hiddenValue?: boolean | null;
            /** @description For a secret: keys of the settings that determine where it is sent. A request that changes one of them has to send the secret again */
            sentTo?: string[] | null;
        };
        /**
         * @example {
         *       "key": "teams",
         *       "config": [
         *         {
         *           "key": "max.workflowrun.concurrent",
         *           "value": 8
         *         }
         *       ]
         *     }
         */
        SettingInput: {
            /** @description The same as `key` */
            id?: string | null;
            /** @example teams */
            key?: string | null;
            name?: string | null;
            description?: string | null;
            tool?: string | null;
            /** @example ValuesList */
            type?: string | null;
            /** @description ISO 8601 in UTC; null if it was never changed */
            lastModified?: string | null;
            /** @description The same, in the published spelling */
            lastModiifed?: string | null;
            config?: components["schemas"]["SettingConfigInput"][] | null;
        };
        Sidecar: {
            name?: string;
            image?: string;
            command?: string[];
            args?: string[];
            env?: components["schemas"]["TaskEnvVar"][];
            workingDir?: string;
            volumeMounts?: components["schemas"]["VolumeMount"][];
            computeResources?: unknown;
            resources?: unknown;
            securityContext?: unknown;
            envFrom?: unknown;
            imagePullPolicy?: unknown;
            volumeDevices?: unknown;
            ports?: unknown;
            livenessProbe?: unknown;
            readinessProbe?: unknown;
            startupProbe?: unknown;
            lifecycle?: unknown;
            terminationMessagePath?: unknown;
            terminationMessagePolicy?: unknown;
            stdin?: unknown;
            stdinOnce?: unknown;
            tty?: unknown;
            script?: string;
            workspaces?: unknown;
            restartPolicy?: unknown;
        } & {
            [key: string]: unknown;
        };
        SignInMethod: {
            /** @enum {string} */
            type: "oidc" | "password" | "proxy";
            /** @description oidc: where to send the browser. password: where to POST. proxy: nothing to do, the proxy identifies the caller */
            url: string | null;
        };
        /**
         * @example {
         *       "auth": "on",
         *       "methods": [
         *         {
         *           "type": "oidc",
         *           "url": "/api/v2/auth/oidc/start"
         *         },
         *         {
         *           "type": "password",
         *           "url": "/api/v2/auth/password"
         *         }
         *       ]
         *     }
         */
        SignInMethods: {
            /**
             * @description off: everyone on the machine is an administrator, nobody signs in
             * @enum {string}
             */
            auth: "on" | "off";
            methods: components["schemas"]["SignInMethod"][];
        };
        Spec: {
            description?: string;
            params?: components["schemas"]["ParamSpec"][];
            results?: components["schemas"]["ResultSpec"][];
            /** @description Stored, without effect; set the timeout at the node of the workflow */
            timeout?: string;
            steps?: components["schemas"]["Step"][];
            stepTemplate?: components["schemas"]["StepTemplate"];
            sidecars?: components["schemas"]["Sidecar"][];
            volumes?: components["schemas"]["Volume"][];
            workspaces?: components["schemas"]["WorkspaceDeclaration"][];
            displayName?: unknown;
            resources?: unknown;
        } & {
            [key: string]: unknown;
        };
        Step: {
            name?: string;
            image?: string;
            command?: string[];
            args?: string[];
            env?: components["schemas"]["TaskEnvVar"][];
            workingDir?: string;
            volumeMounts?: components["schemas"]["VolumeMount"][];
            computeResources?: unknown;
            resources?: unknown;
            securityContext?: unknown;
            envFrom?: unknown;
            imagePullPolicy?: unknown;
            volumeDevices?: unknown;
            ports?: unknown;
            livenessProbe?: unknown;
            readinessProbe?: unknown;
            startupProbe?: unknown;
            lifecycle?: unknown;
            terminationMessagePath?: unknown;
            terminationMessagePolicy?: unknown;
            stdin?: unknown;
            stdinOnce?: unknown;
            tty?: unknown;
            /** @description A program with its #! line; /bin/sh if it has none */
            script?: string;
            /**
             * @example continue
             * @example stopAndFail
             */
            onError?: string;
            /** @example 1h30m */
            timeout?: string;
            results?: components["schemas"]["ResultSpec"][];
            ref?: unknown;
            params?: unknown;
            when?: unknown;
            workspaces?: unknown;
            stdoutConfig?: unknown;
            stderrConfig?: unknown;
        } & {
            [key: string]: unknown;
        };
        StepImage: {
            step: string;
            image: string;
            digest?: string;
        };
        StepTemplate: {
            name?: string;
            image?: string;
            command?: string[];
            args?: string[];
            env?: components["schemas"]["TaskEnvVar"][];
            workingDir?: string;
            volumeMounts?: components["schemas"]["VolumeMount"][];
            computeResources?: unknown;
            resources?: unknown;
            securityContext?: unknown;
            envFrom?: unknown;
            imagePullPolicy?: unknown;
            volumeDevices?: unknown;
            ports?: unknown;
            livenessProbe?: unknown;
            readinessProbe?: unknown;
            startupProbe?: unknown;
            lifecycle?: unknown;
            terminationMessagePath?: unknown;
            terminationMessagePolicy?: unknown;
            stdin?: unknown;
            stdinOnce?: unknown;
            tty?: unknown;
        } & {
            [key: string]: unknown;
        };
        /**
         * @example {
         *       "id": "0198c1de-7d90-7a11-8d42-4f5e6a7b8c90",
         *       "name": "failed runs",
         *       "channel": "webhook",
         *       "isActive": true,
         *       "filters": [
         *         {
         *           "exact": {
         *             "type": "dev.millrace.workflowrun.failed"
         *           }
         *         }
         *       ],
         *       "target": {
         *         "url": "https://example.com/hooks/millrace"
         *       },
         *       "secret": "",
         *       "hiddenValue": true,
         *       "creationDate": "2026-03-01T12:00:00.000Z",
         *       "changeDate": "2026-03-01T12:00:00.000Z"
         *     }
         */
        Subscription: {
            id: string;
            name: string;
            /** @enum {string} */
            channel: "webhook" | "email" | "chat";
            isActive: boolean;
            /** @description Why it was paused automatically */
            statusMessage?: string;
            filters: components["schemas"]["EventFilter"][];
            /**
             * @description Receivers, by channel. webhook: `url`, http or https, without user name and password. email: `to`, up to 50 addresses, and `people`, some of owners, editors, readers, approvers, initiator. chat: `workspace`, with `channel` or `emails` (up to ten addresses)
             * @example {
             *       "url": "https://example.com/hooks/millrace"
             *     }
             */
            target: {
                [key: string]: unknown;
            };
            /** @description Returned in clear once, when it is created, and empty afterwards */
            secret?: string;
            /** @description A secret is stored; reads never return it */
            hiddenValue?: boolean;
            /** @description Until then the previous secret also signs */
            oldSecretUntil?: string;
            creationDate: string;
            changeDate: string;
        };
        /**
         * @description Members that are left out don't change
         * @example {
         *       "isActive": false
         *     }
         */
        SubscriptionChange: {
            /** @description Unique in its team */
            name?: string | null;
            /** @description Default true. If false, no events are recorded for it, and queued deliveries wait */
            isActive?: boolean | null;
            /** @description Which events; all must match. Default: all events */
            filters?: components["schemas"]["EventFilter"][] | null;
            /** @description Names for the filter that matches these events; it is added to the filters of the body, or to the existing ones */
            notify?: ("run-failed" | "run-succeeded" | "run-cancelled" | "approval-needed" | "approval-reminder" | "approval-decided" | "schedule-failed")[] | null;
            /**
             * @description Receivers, by channel. webhook: `url`, http or https, without user name and password. email: `to`, up to 50 addresses, and `people`, some of owners, editors, readers, approvers, initiator. chat: `workspace`, with `channel` or `emails` (up to ten addresses)
             * @example {
             *       "url": "https://example.com/hooks/millrace"
             *     }
             */
            target?: {
                [key: string]: unknown;
            } | null;
            /** @description Required with another `target.url`, and only then: the stored secret is never used for another address */
            secret?: string | null;
        };
        /**
         * @example {
         *       "name": "failed runs",
         *       "channel": "webhook",
         *       "filters": [
         *         {
         *           "exact": {
         *             "type": "dev.millrace.workflowrun.failed"
         *           }
         *         }
         *       ],
         *       "target": {
         *         "url": "https://example.com/hooks/millrace"
         *       }
         *     }
         */
        SubscriptionInput: {
            /** @description Unique in its team */
            name?: string | null;
            /** @description Default true. If false, no events are recorded for it, and queued deliveries wait */
            isActive?: boolean | null;
            /** @description Which events; all must match. Default: all events */
            filters?: components["schemas"]["EventFilter"][] | null;
            /** @description Names for the filter that matches these events; it is added to the filters of the body, or to the existing ones */
            notify?: ("run-failed" | "run-succeeded" | "run-cancelled" | "approval-needed" | "approval-reminder" | "approval-decided" | "schedule-failed")[] | null;
            /**
             * @description Receivers, by channel. webhook: `url`, http or https, without user name and password. email: `to`, up to 50 addresses, and `people`, some of owners, editors, readers, approvers, initiator. chat: `workspace`, with `channel` or `emails` (up to ten addresses)
             * @example {
             *       "url": "https://example.com/hooks/millrace"
             *     }
             */
            target?: {
                [key: string]: unknown;
            } | null;
            /**
             * @description Default webhook. Can't be changed
             * @enum {string|null}
             */
            channel?: "webhook" | "email" | "chat" | null;
            /**
             * @description Signs each webhook: `whsec_` and the base64 of 24 to 64 bytes. Generated if left out
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
             */
            secret?: string | null;
        };
        /**
         * @example {
         *       "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
         *     }
         */
        SubscriptionSecret: {
            /** @description `whsec_` and the base64 of 24 to 64 bytes; generated if left out */
            secret?: string | null;
        };
        /**
         * @example {
         *       "name": "greet",
         *       "displayName": "Greet",
         *       "description": "Says hello",
         *       "type": "template",
         *       "spec": {
         *         "params": [
         *           {
         *             "name": "who",
         *             "type": "text",
         *             "required": true
         *           }
         *         ],
         *         "script": "echo \"hello $PARAM_WHO\""
         *       }
         *     }
         */
        Task: {
            /** @description Set by the service */
            id?: string | null;
            /** @description Letters, digits and hyphens; can't be changed. In PUT the path names the task */
            name?: string | null;
            /** @description Defaults to the name */
            displayName?: string | null;
            /**
             * @description Can't be changed after the task is created; default template
             * @example start
             * @example end
             * @example template
             * @example custom
             * @example generic
             * @example script
             * @example decision
             * @example approval
             * @example manual
             * @example eventwait
             * @example sleep
             * @example acquirelock
             * @example releaselock
             * @example runworkflow
             * @example runscheduledworkflow
             * @example setwfproperty
             * @example setwfstatus
             */
            type?: string | null;
            /** @description Set by the service */
            version?: number | null;
            /**
             * @description Default active
             * @example active
             * @example inactive
             */
            status?: string | null;
            /** @description ISO 8601 in UTC, of the first version. Set by the service */
            creationDate?: string | null;
            /** @description Built in. Set by the service */
            verified?: boolean | null;
            description?: string | null;
            category?: string | null;
            icon?: string | null;
            /** @description Merged into the existing ones; null removes one */
            labels?: {
                [key: string]: string | null;
            } | null;
            /** @description Merged into the existing ones; null removes one */
            annotations?: {
                [key: string]: unknown;
            } | null;
            changelog?: components["schemas"]["ChangeLog"] | null;
            spec?: components["schemas"]["TaskSpec"] | null;
        };
        /**
         * @example {
         *       "apiVersion": "tekton.dev/v1",
         *       "kind": "Task",
         *       "metadata": {
         *         "name": "greet"
         *       },
         *       "spec": {
         *         "params": [
         *           {
         *             "name": "who",
         *             "type": "string"
         *           }
         *         ],
         *         "steps": [
         *           {
         *             "name": "greet",
         *             "script": "echo \"hello $PARAM_WHO\""
         *           }
         *         ]
         *       }
         *     }
         */
        TaskDefinition: {
            /** @enum {unknown} */
            apiVersion: "tekton.dev/v1" | "tekton.dev/v1beta1";
            /** @enum {unknown} */
            kind: "Task";
            metadata: components["schemas"]["Metadata"];
            spec: components["schemas"]["Spec"];
            status?: unknown;
        } & {
            [key: string]: unknown;
        };
        TaskEnvVar: {
            name: string;
            value?: string;
            valueFrom?: unknown;
        } & {
            [key: string]: unknown;
        };
        /**
         * @example {
         *       "content": [
         *         {
         *           "name": "greet",
         *           "displayName": "Greet",
         *           "description": "Says hello",
         *           "type": "template",
         *           "spec": {
         *             "params": [
         *               {
         *                 "name": "who",
         *                 "type": "text",
         *                 "required": true
         *               }
         *             ],
         *             "script": "echo \"hello $PARAM_WHO\""
         *           }
         *         }
         *       ],
         *       "number": 0,
         *       "size": 10,
         *       "numberOfElements": 1,
         *       "totalElements": 1,
         *       "totalPages": 1,
         *       "first": true,
         *       "last": true,
         *       "empty": false,
         *       "sort": {
         *         "sorted": true,
         *         "unsorted": false,
         *         "empty": false
         *       },
         *       "pageable": {
         *         "pageNumber": 0,
         *         "pageSize": 10,
         *         "offset": 0,
         *         "paged": true,
         *         "unpaged": false,
         *         "sort": {
         *           "sorted": true,
         *           "unsorted": false,
         *           "empty": false
         *         }
         *       }
         *     }
         */
        TaskResponsePage: {
            content: components["schemas"]["Task"][];
            /** @description Index of this page, zero-based */
            number: number;
            /** @description The requested limit */
            size: number;
            numberOfElements: number;
            /** @description Matching items on all pages */
            totalElements: number;
            totalPages: number;
            first: boolean;
            last: boolean;
            empty: boolean;
            sort: components["schemas"]["PageSort"];
            pageable: components["schemas"]["PageableObject"];
        };
        /**
         * @example {
         *       "labels": {
         *         "stage": "test"
         *       },
         *       "annotations": {},
         *       "workspaces": [],
         *       "creationDate": "2026-03-01T12:00:00.000Z",
         *       "startTime": "2026-03-01T12:00:00.000Z",
         *       "status": "succeeded",
         *       "workflowRef": "0198c1de-7d6b-7d44-b2c3-1f0a8e5d4c32",
         *       "workflowName": "welcome",
         *       "workflowRevisionRef": "0198c1de-7d6c-7aa1-9c57-3e2d1b0f9e43",
         *       "id": "0198c1de-7d72-7f83-a479-9d8e7f6a5b65",
         *       "type": "template",
         *       "name": "say hello",
         *       "duration": 4200,
         *       "params": [
         *         {
         *           "name": "who",
         *           "value": "Ada"
         *         }
         *       ],
         *       "results": [
         *         {
         *           "name": "greeting",
         *           "value": "hello Ada"
         *         }
         *       ],
         *       "phase": "completed",
         *       "attempt": 1,
         *       "taskRef": "0198c1de-7d66-7b0c-8d31-5a9d7c3e2b21",
         *       "taskName": "greet",
         *       "taskVersion": 1,
         *       "workflowRunRef": "0198c1de-7d71-7e12-8a68-7c5b4d3e2f54"
         *     }
         */
        TaskRun: {
            id: string;
            /** @enum {string} */
            type: "start" | "end" | "template" | "custom" | "generic" | "script" | "decision" | "approval" | "manual" | "eventwait" | "sleep" | "acquirelock" | "releaselock" | "runworkflow" | "runscheduledworkflow" | "setwfproperty" | "setwfstatus";
            name: string;
            labels: {
                [key: string]: string;
            };
            annotations: {
                [key: string]: unknown;
            };
            creationDate: string;
            /** @description Start of the latest attempt */
            startTime?: string;
            /**
             * Format: int64
             * @description Milliseconds from start to end; 0 until it ends
             */
            duration: number;
            /** @description Minutes, of each attempt */
            timeout?: number;
            params: components["schemas"]["RunParam"][];
            results: components["schemas"]["RunResult"][];
            workspaces: components["schemas"]["TaskWorkspace"][];
            spec?: components["schemas"]["TaskRunSpec"];
            /** @enum {string} */
            status: "notstarted" | "ready" | "running" | "waiting" | "succeeded" | "failed" | "invalid" | "skipped" | "cancelled" | "timedout";
            /** @enum {string} */
            phase: "pending" | "queued" | "running" | "completed" | "finalized";
            statusMessage?: string;
            /** @description A typed word for the status: ExitCode, LockTimeout, PathNotTaken … */
            reason?: string;
            /** @description Why it is waiting, with names */
            waitingFor?: string;
            /** @description params and results are left out because the response would be too large; read the task run by itself */
            truncated?: boolean;
            warnings?: components["schemas"]["RunWarning"][];
            /** @description The executor that it needs: process, container, kubernetes, or image (one of the last two) */
            needs?: string;
            /** @description Labels that its worker must have */
            runsOn?: string[];
            attempt: number;
            attempts?: components["schemas"]["TaskRunAttempt"][];
            /** @description What a switch compared */
            decisionValue?: string;
            /** @description Index of the forEach item */
            item?: number;
            /** @description Id of the task */
            taskRef?: string;
            taskName?: string;
            taskVersion?: number;
            workflowRef: string;
            workflowName?: string;
            workflowRevisionRef: string;
            workflowRunRef: string;
            /** @description The worker that runs the attempt */
            agentRef?: string;
        };
        TaskRunAttempt: {
            attempt: number;
            /** @enum {string} */
            status: "succeeded" | "failed" | "invalid" | "cancelled" | "timedout" | "lost";
            /** @description A typed word: ExitCode, OutOfMemory, WorkerLost … */
            reason?: string;
            statusMessage?: string;
            exitCode?: number;
            signal?: string;
            /** @description The kind that ran it: process, container or kubernetes */
            executor?: string;
            /** @description The sandbox or runtime that isolated it */
            isolation?: string;
            /** @description The machine of its worker */
            host?: string;
            /** @description The node of the cluster */
            node?: string;
            /** @description The pod, or the container of the last step */
            unit?: string;
            images?: components["schemas"]["StepImage"][];
            waits?: components["schemas"]["AttemptWaitTimes"];
            startTime?: string;
            endTime: string;
        };
        /**
         * @example {
         *       "lines": [
         *         {
         *           "time": "2026-03-01T12:00:00.000Z",
         *           "step": "greet",
         *           "text": "hello Ada"
         *         }
         *       ],
         *       "next": "1.1"
         *     }
         */
        TaskRunLog: {
            lines: components["schemas"]["LogLine"][];
            /** @description Pass it as `after` to read on; null if the task run has ended and these are its last lines */
            next: string | null;
            /** @description With `fromLine` or `tail`: number of the first line of this page, from 1 */
            firstLine?: number;
            /** @description With `fromLine` or `tail`: lines of the whole log so far */
            totalLines?: number;
        };
        /**
         * @example {
         *       "ranges": [
         *         {
         *           "first": 120,
         *           "last": 122
         *         }
         *       ],
         *       "lines": 3,
         *       "steps": [
         *         "greet"
         *       ],
         *       "searchedTo": 5000,
         *       "next": 5001
         *     }
         */
        TaskRunLogSearch: {
            /** @description Numbers of the matching lines, ascending; consecutive lines are one range */
            ranges: {
                first: number;
                last: number;
            }[];
            /** @description Number of these lines */
            lines: number;
            /** @description Names of the steps of these lines */
            steps: string[];
            /** @description Number of the last line that was looked at */
            searchedTo: number;
            /** @description Pass it as `fromLine` to search on; missing if all lines so far were searched */
            next?: number;
        };
        TaskRunSpec: {
            arguments?: string[];
            command?: string[];
            envs?: components["schemas"]["TaskEnvVar"][];
            image?: string;
            script?: string;
            workingDir?: string;
            debug?: boolean;
            timeout?: number;
            deletion?: string;
        } & {
            [key: string]: unknown;
        };
        TaskSpec: {
            params?: components["schemas"]["AbstractParam"][] | null;
            results?: components["schemas"]["ResultSpec"][] | null;
            image?: string | null;
            /** @description A program with its #! line; /bin/sh if it has none */
            script?: string | null;
            command?: string[] | null;
            arguments?: string[] | null;
            envs?: components["schemas"]["TaskEnvVar"][] | null;
            workingDir?: string | null;
            /** @description Name of the one step in the definition document */
            stepName?: string | null;
            /** @description Instead of the flat members: several steps, run in order */
            steps?: components["schemas"]["Step"][] | null;
            stepTemplate?: components["schemas"]["StepTemplate"] | null;
            sidecars?: components["schemas"]["Sidecar"][] | null;
            volumes?: components["schemas"]["Volume"][] | null;
            workspaces?: components["schemas"]["WorkspaceDeclaration"][] | null;
            description?: unknown;
            displayName?: unknown;
            resources?: unknown;
            timeout?: unknown;
        } & {
            [key: string]: unknown;
        };
        /**
         * @example {
         *       "params": [
         *         {
         *           "name": "who",
         *           "value": "Ada"
         *         }
         *       ]
         *     }
         * @example {
         *       "draft": {
         *         "spec": {
         *           "image": "alpine:3.20",
         *           "script": "echo $(params.who)"
         *         }
         *       }
         *     }
         */
        TaskTryRequest: {
            /** @description Default: the latest. Not with a draft */
            version?: number | null;
            /** @description Parameters that are left out get the task's default */
            params?: components["schemas"]["RunParam"][] | null;
            draft?: components["schemas"]["Task"];
            /** @description The draft as a definition document (YAML) instead; problems are reported with their line */
            draftDocument?: string | null;
            /**
             * @description Scope of the draft's task; default team. For a global task it also requires the permission to save those
             * @enum {string|null}
             */
            draftOf?: "team" | "global" | null;
        };
        TaskWorkspace: {
            name: string;
            /**
             * @example workflow
             * @example workflowrun
             */
            type?: string;
            optional?: boolean;
            mountPath?: string;
        };
        /**
         * @example {
         *       "id": "0198c1de-7d5c-7c3b-a1f0-2b7f6d2d9b1e",
         *       "name": "hawks",
         *       "displayName": "The Hawks",
         *       "creationDate": "2026-03-01T12:00:00.000Z",
         *       "status": "active",
         *       "externalRef": null,
         *       "labels": {
         *         "stage": "test"
         *       },
         *       "parameters": [
         *         {
         *           "name": "region",
         *           "type": "text",
         *           "value": "north"
         *         }
         *       ],
         *       "quotas": {
         *         "maxWorkflowCount": 25,
         *         "maxWorkflowRunMonthly": 300,
         *         "maxWorkflowStorage": 2,
         *         "maxWorkflowRunStorage": 2,
         *         "maxWorkflowRunDuration": 120,
         *         "maxConcurrentRuns": 4,
         *         "maxWaitingRuns": 100000,
         *         "currentWorkflowCount": 1,
         *         "currentRuns": 17,
         *         "currentConcurrentRuns": 1,
         *         "currentWaitingRuns": 2,
         *         "currentRunTotalDuration": 9,
         *         "currentRunMedianDuration": 1,
         *         "monthlyResetDate": "2026-04-01T00:00:00.000Z"
         *       },
         *       "members": [
         *         {
         *           "id": "0198c1de-7d60-7a51-9f22-0c4e6e1f7a10",
         *           "email": "owner@example.com",
         *           "name": "Ada",
         *           "role": "owner"
         *         }
         *       ],
         *       "workflows": [],
         *       "approverGroups": [
         *         {
         *           "id": "0198c1de-7d84-7e2c-87bc-6c5d4e3f2a98",
         *           "name": "leads",
         *           "creationDate": "2026-03-01T12:00:00.000Z",
         *           "approvers": [
         *             {
         *               "id": "0198c1de-7d60-7a51-9f22-0c4e6e1f7a10",
         *               "email": "owner@example.com",
         *               "name": "Ada",
         *               "role": "owner"
         *             }
         *           ]
         *         }
         *       ],
         *       "allowHostNetwork": false,
         *       "retention": {
         *         "logs": 7
         *       },
         *       "retentionInForce": {
         *         "runs": 180,
         *         "logs": 7,
         *         "deliveries": 30
         *       }
         *     }
         */
        Team: {
            id: string;
            /** @description The slug in URLs, in addition to its ID */
            name: string;
            displayName: string;
            /** Format: date-time */
            creationDate: string;
            /** @enum {string} */
            status: "active" | "inactive";
            externalRef: string | null;
            labels: {
                [key: string]: string;
            };
            parameters: components["schemas"]["AbstractParam"][];
            /** @description Its tasks may use the machine's network, if MILLRACE_ALLOW_HOST_NETWORK allows it */
            allowHostNetwork: boolean;
            retention: components["schemas"]["TeamRetention"];
            retentionInForce: components["schemas"]["RetentionInForce"];
            quotas: components["schemas"]["CurrentQuotas"];
            members: components["schemas"]["TeamMember"][];
            /** @description Always empty; query the team's workflows instead */
            workflows: components["schemas"]["WorkflowSummary"][];
            approverGroups: components["schemas"]["ApproverGroup"][];
        };
        /**
         * @example {
         *       "email": "owner@example.com",
         *       "role": "owner"
         *     }
         */
        TeamMember: {
            id?: string | null;
            email?: string | null;
            name?: string | null;
            /**
             * @description One of owner, editor, reader
             * @example editor
             */
            role?: string | null;
        };
        /**
         * @example {
         *       "name": "The Hawks"
         *     }
         */
        TeamNameCheckRequest: {
            name: string;
        };
        /**
         * @example {
         *       "name": "hawks",
         *       "displayName": "The Hawks",
         *       "members": [
         *         {
         *           "email": "owner@example.com",
         *           "role": "owner"
         *         }
         *       ]
         *     }
         */
        TeamRequest: {
            /** @description Ignored */
            id?: string | null;
            /** @description Turned into a slug: lower case, hyphens for spaces */
            name?: string | null;
            displayName?: string | null;
            /**
             * @description One of active, inactive; PATCH only
             * @example active
             */
            status?: string | null;
            /**
             * @description One of personal, hobby, pro, enterprise, system
             * @example pro
             */
            type?: string | null;
            externalRef?: string | null;
            /** @description Merged into the existing ones; null removes one. A team has at most 64 */
            labels?: {
                [key: string]: string | null;
            } | null;
            /** @description Added, or replaced by name; a secret left empty doesn't change */
            parameters?: components["schemas"]["AbstractParam"][] | null;
            /** @description Tasks of the team may use the machine's network; administrators only */
            allowHostNetwork?: boolean | null;
            /** @description Number of days its history is kept, if less than on the instance; null for a kind: as long as the instance keeps it */
            retention?: components["schemas"]["TeamRetention"] | null;
            quotas?: components["schemas"]["Quotas"] | null;
            /** @description Added, or given another role */
            members?: components["schemas"]["TeamMember"][] | null;
            /** @description Added, or replaced by name ignoring case */
            approverGroups?: components["schemas"]["ApproverGroupRequest"][] | null;
        };
        /**
         * @example {
         *       "runs": 90,
         *       "logs": 7
         *     }
         */
        TeamRetention: {
            /** @description Runs after they end, in days; null: as long as the instance keeps them */
            runs?: number | null;
            /** @description Logs after the end of their run, in days; null: as long as the instance keeps them */
            logs?: number | null;
            /** @description Deliveries after they were delivered or given up, in days; null: as long as the instance keeps them */
            deliveries?: number | null;
        };
        TeamSummary: {
            id: string;
            name: string;
            displayName: string;
            /** Format: date-time */
            creationDate: string;
            /** @enum {string} */
            status: "active" | "inactive";
            externalRef: string | null;
            labels: {
                [key: string]: string;
            };
            /**
             * @description Of the caller in this team
             * @enum {string}
             */
            role: "owner" | "editor" | "reader";
            insights: components["schemas"]["TeamSummaryInsights"];
        };
        TeamSummaryInsights: {
            workflows: number;
            members: number;
        };
        /**
         * @example {
         *       "id": "0198c1de-7d84-7e2c-87bc-6c5d4e3f2a98",
         *       "type": "team",
         *       "name": "pipeline",
         *       "description": null,
         *       "creationDate": "2026-03-01T12:00:00.000Z",
         *       "expirationDate": null,
         *       "lastUsedDate": null,
         *       "valid": true,
         *       "principal": "0198c1de-7d5c-7c3b-a1f0-2b7f6d2d9b1e",
         *       "permissions": [
         *         {
         *           "scope": "team",
         *           "principal": "0198c1de-7d5c-7c3b-a1f0-2b7f6d2d9b1e",
         *           "actions": [
         *             "workflow/read",
         *             "workflow/action"
         *           ]
         *         }
         *       ]
         *     }
         */
        Token: {
            id: string;
            /** @enum {string} */
            type: "session" | "user" | "team" | "workflow" | "global";
            name: string;
            description: string | null;
            /** Format: date-time */
            creationDate: string;
            /** Format: date-time */
            expirationDate: string | null;
            /**
             * Format: date-time
             * @description To the minute
             */
            lastUsedDate: string | null;
            /** @description False if it has expired */
            valid: boolean;
            /** @description ID of the team, workflow or user; ** for a global token */
            principal: string;
            permissions: components["schemas"]["ResolvedPermissions"][];
        };
        /**
         * @example {
         *       "type": "team",
         *       "name": "pipeline",
         *       "principal": "hawks",
         *       "permissions": [
         *         "workflow/read",
         *         "workflow/action"
         *       ]
         *     }
         */
        TokenCreateRequest: {
            /**
             * @description user, team, workflow or global
             * @example team
             */
            type: string;
            name: string;
            /** @description Team: its name or ID. Workflow: its ID, or team/name. User: ID or email address, by default the caller. Global: none */
            principal?: string | null;
            description?: string | null;
            /** @description ISO 8601, or epoch milliseconds */
            expirationDate?: string | number | null;
            /** @description resource/action, ** for any. Required unless the type is user, whose token has the permissions of the user */
            permissions?: string[] | null;
            /** @description Not used */
            role?: string | null;
        };
        /**
         * @example {
         *       "id": "0198c1de-7d84-7e2c-87bc-6c5d4e3f2a98",
         *       "type": "team",
         *       "token": "mrt_SHOWN_ONCE",
         *       "expirationDate": null
         *     }
         */
        TokenCreateResponse: {
            id: string;
            /** @enum {string} */
            type: "session" | "user" | "team" | "workflow" | "global";
            /** @description The token itself. Shown only once: Millrace keeps only its hash */
            token: string;
            /** Format: date-time */
            expirationDate: string | null;
        };
        Trigger: {
            enabled?: boolean | null;
            conditions?: components["schemas"]["TriggerCondition"][] | null;
            /** @description For event, codehost and workflow: filters on the attributes of the event, which must all match; [] removes them */
            filters?: components["schemas"]["EventFilter"][] | null;
            /** @description For webhook: only requests signed with the secret of the workflow start it */
            requireSignature?: boolean | null;
            /** @description For codehost: report the status of the run at the commit of the event, as a check or a commit status */
            reportStatus?: boolean | null;
        };
        TriggerCheck: {
            /**
             * @description JSON pointer into the trigger
             * @example /conditions/0
             * @example /filters/1/any/0
             */
            path: string;
            holds: boolean;
            /** @description For conditions: the values of the field, at most 20 texts of 200 characters */
            found?: string[];
        };
        TriggerCondition: {
            /** @description JSONPath (RFC 9535), for example $.type; for the codehost also events, actions, repositories, branches or tags */
            field: string;
            /** @enum {string} */
            operation: "equals" | "matches" | "in";
            /** @description For equals, and for matches a regular expression (RE2) of the whole text */
            value?: string | null;
            /** @description For in */
            values?: string[] | null;
        };
        /**
         * @example {
         *       "holds": false,
         *       "checks": [
         *         {
         *           "path": "/conditions/0",
         *           "holds": true,
         *           "found": [
         *             "push"
         *           ]
         *         },
         *         {
         *           "path": "/conditions/1",
         *           "holds": false,
         *           "found": [
         *             "main"
         *           ]
         *         }
         *       ],
         *       "blockers": [
         *         "The trigger codehost of workflow welcome is off."
         *       ],
         *       "attributes": {
         *         "specversion": "1.0",
         *         "type": "push",
         *         "subject": "refs/heads/main",
         *         "repository": "org/shop"
         *       },
         *       "words": {
         *         "events": [
         *           "push"
         *         ],
         *         "actions": [],
         *         "repositories": [
         *           "shop",
         *           "org/shop"
         *         ],
         *         "branches": [
         *           "main"
         *         ],
         *         "tags": []
         *       },
         *       "submission": {
         *         "trigger": "codehost",
         *         "params": [
         *           {
         *             "name": "event",
         *             "value": "push"
         *           }
         *         ]
         *       }
         *     }
         */
        TriggerTest: {
            /** @description All conditions and filters match */
            holds: boolean;
            checks: components["schemas"]["TriggerCheck"][];
            /** @description Why it would not start a run anyway, as sentences */
            blockers: string[];
            /** @description Attributes that filters check */
            attributes: {
                [key: string]: unknown;
            };
            /** @description Values of the words in fields of conditions */
            words: {
                [key: string]: string[];
            };
            submission: components["schemas"]["WorkflowSubmitRequest"];
        };
        /**
         * @example {
         *       "kind": "codehost",
         *       "event": "push",
         *       "payload": {
         *         "ref": "refs/heads/main",
         *         "repository": {
         *           "name": "shop",
         *           "full_name": "org/shop"
         *         },
         *         "installation": {
         *           "id": 42
         *         }
         *       }
         *     }
         */
        TriggerTestRequest: {
            /** @enum {string} */
            kind: "webhook" | "event" | "codehost" | "workflow";
            /** @description Members that are not saved yet; they replace the saved ones */
            trigger?: components["schemas"]["Trigger"] | null;
            /** @description For webhook and codehost the object that is sent, for event the CloudEvent as JSON */
            payload?: {
                [key: string]: unknown;
            } | null;
            /** @description For codehost: the name of the event, such as push */
            event?: string | null;
            /** @description For workflow: ID of a finished run of the team */
            workflowRunRef?: string | null;
        };
        TriggeredRuns: {
            runs: components["schemas"]["WorkflowRun"][];
            /** @description Workflows that match but could not be started */
            refused: components["schemas"]["RefusedRun"][];
        };
        /**
         * @example {
         *       "id": "0198c1de-7d60-7a51-9f22-0c4e6e1f7a10",
         *       "email": "ada@example.com",
         *       "name": "Ada",
         *       "displayName": "Ada of the Hawks",
         *       "type": "user",
         *       "creationDate": "2026-03-01T12:00:00.000Z",
         *       "lastLoginDate": "2026-03-02T08:15:00.000Z",
         *       "status": "active",
         *       "labels": {
         *         "site": "london"
         *       },
         *       "settings": {
         *         "isFirstVisit": false,
         *         "isShowHelp": true,
         *         "hasConsented": true
         *       }
         *     }
         */
        User: {
            id: string;
            email: string;
            name?: string;
            displayName?: string;
            /** @enum {string} */
            type: "user" | "admin" | "operator" | "sponsor" | "auditor" | "author" | "partner" | "advisor";
            /** Format: date-time */
            creationDate: string;
            /** Format: date-time */
            lastLoginDate?: string;
            /**
             * @description Only active users can sign in
             * @enum {string}
             */
            status: "active" | "inactive" | "pending_deletion" | "deleted" | "archived";
            labels: {
                [key: string]: string;
            };
            settings: components["schemas"]["UserSettings"];
            /** @description Issuer and subject of the first sign-in by OpenID Connect */
            identity?: components["schemas"]["UserIdentity"];
            /** @description Another subject that last tried to sign in with this address, and was rejected. It is accepted when it is written as `identity` */
            requestedIdentity?: {
                /** @example https://id.example.com/realms/main */
                issuer: string;
                /** @example 4f1c0a52-9f0e-4f7e-8d0b-9a1c6d7e2f30 */
                subject: string;
                /** Format: date-time */
                date: string;
            };
        };
        UserIdentity: {
            /** @example https://id.example.com/realms/main */
            issuer: string;
            /** @example 4f1c0a52-9f0e-4f7e-8d0b-9a1c6d7e2f30 */
            subject: string;
        };
        /**
         * @example {
         *       "id": "0198c1de-7d60-7a51-9f22-0c4e6e1f7a10",
         *       "email": "ada@example.com",
         *       "name": "Ada",
         *       "displayName": "Ada of the Hawks",
         *       "type": "user",
         *       "creationDate": "2026-03-01T12:00:00.000Z",
         *       "lastLoginDate": "2026-03-02T08:15:00.000Z",
         *       "status": "active",
         *       "labels": {
         *         "site": "london"
         *       },
         *       "settings": {
         *         "isFirstVisit": false,
         *         "isShowHelp": true,
         *         "hasConsented": true
         *       },
         *       "teams": [
         *         {
         *           "id": "0198c1de-7d5c-7c3b-a1f0-2b7f6d2d9b1e",
         *           "name": "hawks",
         *           "displayName": "The Hawks",
         *           "creationDate": "2026-03-01T12:00:00.000Z",
         *           "status": "active",
         *           "externalRef": null,
         *           "labels": {
         *             "stage": "test"
         *           },
         *           "role": "reader",
         *           "insights": {
         *             "workflows": 1,
         *             "members": 2
         *           }
         *         }
         *       ],
         *       "permissions": [
         *         "**\/read"
         *       ]
         *     }
         */
        UserProfile: {
            id: string;
            email: string;
            name?: string;
            displayName?: string;
            /** @enum {string} */
            type: "user" | "admin" | "operator" | "sponsor" | "auditor" | "author" | "partner" | "advisor";
            /** Format: date-time */
            creationDate: string;
            /** Format: date-time */
            lastLoginDate?: string;
            /**
             * @description Only active users can sign in
             * @enum {string}
             */
            status: "active" | "inactive" | "pending_deletion" | "deleted" | "archived";
            labels: {
                [key: string]: string;
            };
            settings: components["schemas"]["UserSettings"];
            teams: components["schemas"]["TeamSummary"][];
            /** @description resource/action: what the caller can do on the instance or in at least one of the teams */
            permissions: string[];
        };
        /**
         * @example {
         *       "displayName": "Ada",
         *       "labels": {
         *         "site": "london"
         *       }
         *     }
         */
        UserRequest: {
            /** @description Ignored: the path identifies the user */
            id?: string | null;
            /** @description Can't be changed here: it comes from the identity provider */
            email?: string | null;
            /** @description Empty: unchanged */
            name?: string | null;
            /** @description Empty: unchanged */
            displayName?: string | null;
            /**
             * @description One of user, admin, operator, sponsor, auditor, author, partner, advisor
             * @example operator
             */
            type?: string | null;
            /**
             * @description One of active, inactive, pending_deletion, deleted, archived
             * @example inactive
             */
            status?: string | null;
            /** @description Merged into the existing ones; null removes one */
            labels?: {
                [key: string]: string | null;
            } | null;
            settings?: {
                isFirstVisit?: boolean | null;
                isShowHelp?: boolean | null;
                hasConsented?: boolean | null;
            } | null;
            /** @description Who signs in as this user through OpenID Connect from now on, as given in `requestedIdentity`. Requires an administrator, and ends the sessions of the user */
            identity?: {
                /** @example https://id.example.com/realms/main */
                issuer: string;
                /** @example 4f1c0a52-9f0e-4f7e-8d0b-9a1c6d7e2f30 */
                subject: string;
            } | null;
        };
        UserSettings: {
            /** @description True until the second sign-in of the user */
            isFirstVisit: boolean;
            isShowHelp: boolean;
            hasConsented: boolean;
        };
        Volume: {
            name: string;
            emptyDir?: unknown;
            configMap?: unknown;
            secret?: unknown;
            projected?: unknown;
            csi?: unknown;
            hostPath?: unknown;
            persistentVolumeClaim?: unknown;
            downwardAPI?: unknown;
            ephemeral?: unknown;
            nfs?: unknown;
            image?: unknown;
        } & {
            [key: string]: unknown;
        };
        VolumeMount: {
            name: string;
            mountPath: string;
            readOnly?: boolean;
            subPath?: unknown;
            subPathExpr?: unknown;
            mountPropagation?: unknown;
            recursiveReadOnly?: unknown;
        } & {
            [key: string]: unknown;
        };
        /**
         * @example {
         *       "isSet": true,
         *       "creationDate": "2026-03-01T12:00:00.000Z",
         *       "previousValidUntil": "2026-03-02T12:00:00.000Z"
         *     }
         */
        WebhookSecret: {
            isSet: boolean;
            /** @description Returned once, when it is created; whsec_ and base64 */
            secret?: string | null;
            /** Format: date-time */
            creationDate?: string | null;
            /**
             * Format: date-time
             * @description Until then the previous secret is valid too
             */
            previousValidUntil?: string | null;
        };
        Worker: {
            id: string;
            host: string;
            pid: number;
            /** @description What the process does besides running tasks */
            roles: string[];
            executors: components["schemas"]["WorkerExecutor"][];
            /** @description Tasks require them with millrace.dev/runs-on */
            labels: string[];
            /** @description Number of task runs that it runs at the same time */
            slots: number;
            busySlots: number;
            /** Format: date-time */
            startDate: string;
            /**
             * Format: date-time
             * @description Extended regularly; when it expires, its task runs are retried elsewhere
             */
            leaseUntilDate: string;
            /** @description Its lease is valid */
            alive: boolean;
            /** @description It is the process that answers */
            answering: boolean;
        };
        WorkerExecutor: {
            /**
             * @example process
             * @example container
             * @example kubernetes
             */
            kind: string;
            /** @description It works now */
            available: boolean;
            /** @description What isolates the steps; known for the process that answers */
            isolation?: string;
            /**
             * @description A fault of the machine because of which it takes no tasks now
             * @example the disk of the worker is full
             * @example the worker has too many files open
             */
            fault?: string;
            /** @description Details, or why it is off; known for the process that answers, and for administrators only */
            detail?: string;
        };
        /**
         * @example {
         *       "workers": [
         *         {
         *           "id": "0198c1de-7d84-7e2c-87bc-6c5d4e3f2a98",
         *           "host": "mill-1",
         *           "pid": 4120,
         *           "roles": [
         *             "api",
         *             "engine",
         *             "worker"
         *           ],
         *           "executors": [
         *             {
         *               "kind": "process",
         *               "available": true,
         *               "isolation": "bubblewrap"
         *             },
         *             {
         *               "kind": "container",
         *               "available": false,
         *               "isolation": "docker",
         *               "detail": "there is no /run/docker.sock"
         *             }
         *           ],
         *           "labels": [
         *             "linux"
         *           ],
         *           "slots": 8,
         *           "busySlots": 3,
         *           "startDate": "2026-03-01T12:00:00.000Z",
         *           "leaseUntilDate": "2026-03-02T08:15:20.000Z",
         *           "alive": true,
         *           "answering": true
         *         }
         *       ],
         *       "queue": {
         *         "waiting": 2,
         *         "isMore": false,
         *         "needs": [
         *           {
         *             "executor": "container",
         *             "labels": [],
         *             "waiting": 2,
         *             "oldestDate": "2026-03-02T08:10:00.000Z",
         *             "why": "Waiting because the executor \"container\" is not available on the worker that has it; GET /health of that worker says why"
         *           }
         *         ],
         *         "teams": [
         *           {
         *             "id": "0198c1de-7d5c-7c3b-a1f0-2b7f6d2d9b1e",
         *             "name": "hawks",
         *             "displayName": "The Hawks",
         *             "waiting": 2,
         *             "oldestDate": "2026-03-02T08:10:00.000Z",
         *             "queuedRuns": 0
         *           }
         *         ]
         *       }
         *     }
         */
        Workers: {
            /** @description Live ones first; a worker that is gone stays in the list for a while */
            workers: components["schemas"]["Worker"][];
            queue: {
                /** @description Task runs that no worker has claimed yet */
                waiting: number;
                /** @description There are more than were counted */
                isMore: boolean;
                /** @description The 20 with the most */
                needs: components["schemas"]["QueueNeed"][];
                /** @description The 20 with the most */
                teams: components["schemas"]["QueueTeam"][];
            };
        };
        /**
         * @example {
         *       "name": "welcome",
         *       "displayName": "Welcome",
         *       "labels": {
         *         "stage": "test"
         *       },
         *       "params": [
         *         {
         *           "name": "name",
         *           "type": "text",
         *           "default": "world"
         *         }
         *       ],
         *       "tasks": [
         *         {
         *           "name": "say hello",
         *           "taskRef": "greet",
         *           "params": [
         *             {
         *               "name": "who",
         *               "value": "$(params.name)"
         *             }
         *           ]
         *         },
         *         {
         *           "name": "ask",
         *           "type": "approval",
         *           "taskRef": "manual-approval",
         *           "dependencies": [
         *             {
         *               "taskRef": "say hello",
         *               "executionCondition": "success"
         *             }
         *           ]
         *         }
         *       ]
         *     }
         */
        Workflow: {
            /** @description Set by the service */
            id?: string | null;
            /** @description Addresses the workflow in its team; written as a slug */
            name: string;
            /** @description Defaults to the name */
            displayName?: string | null;
            /**
             * @description Default active
             * @example active
             * @example inactive
             */
            status?: string | null;
            /** @description Set by the service */
            version?: number | null;
            /** @description ISO 8601 in UTC, of the first version. Set by the service */
            creationDate?: string | null;
            changelog?: components["schemas"]["ChangeLog"] | null;
            icon?: string | null;
            description?: string | null;
            /** @description Notes */
            markdown?: string | null;
            /** @description Merged into the existing ones; null removes one */
            labels?: {
                [key: string]: string | null;
            } | null;
            /** @description Merged into the existing ones; null removes one */
            annotations?: {
                [key: string]: unknown;
            } | null;
            /** @description Minutes of wall time; 0 means none */
            timeout?: number | null;
            /** @description Number of new runs after one that failed or timed out */
            retries?: number | null;
            /** @description Some task has a newer version than the one in use. Computed */
            upgradesAvailable?: boolean | null;
            triggers?: components["schemas"]["WorkflowTrigger"] | null;
            /** @description In the response to a save: problems that don't prevent saving. Set by the service */
            warnings?: components["schemas"]["WorkflowProblem"][] | null;
            workspaces?: components["schemas"]["WorkflowWorkspace"][] | null;
            /**
             * @description What happens to a task whose parameters refer to a name that doesn't exist: it fails (default), or the text stays
             * @enum {string|null}
             */
            unresolvedReferences?: "fail" | "keep" | null;
            /** @description Its graph; start and end are added when missing */
            tasks?: components["schemas"]["WorkflowTask"][] | null;
            params?: components["schemas"]["AbstractParam"][] | null;
            /** @description Newest first, in lists that requested them. Set by the service */
            latestRuns?: components["schemas"]["WorkflowRunSummary"][] | null;
        } & {
            [key: string]: unknown;
        };
        /**
         * @example {
         *       "name": "welcome",
         *       "displayName": "Welcome",
         *       "config": [
         *         {
         *           "name": "name",
         *           "type": "text",
         *           "default": "world"
         *         }
         *       ],
         *       "nodes": [
         *         {
         *           "id": "start",
         *           "type": "start",
         *           "position": {
         *             "x": 0,
         *             "y": 0
         *           },
         *           "data": {
         *             "name": "start"
         *           }
         *         },
         *         {
         *           "id": "hello",
         *           "type": "template",
         *           "position": {
         *             "x": 320,
         *             "y": 0
         *           },
         *           "data": {
         *             "name": "say hello",
         *             "taskRef": "greet",
         *             "params": [
         *               {
         *                 "name": "who",
         *                 "value": "$(params.name)"
         *               }
         *             ]
         *           }
         *         },
         *         {
         *           "id": "end",
         *           "type": "end",
         *           "position": {
         *             "x": 640,
         *             "y": 0
         *           },
         *           "data": {
         *             "name": "end"
         *           }
         *         }
         *       ],
         *       "edges": [
         *         {
         *           "id": "1",
         *           "source": "start",
         *           "target": "hello",
         *           "type": "start",
         *           "data": {
         *             "executionCondition": "always"
         *           }
         *         },
         *         {
         *           "id": "2",
         *           "source": "hello",
         *           "target": "end",
         *           "type": "template",
         *           "data": {
         *             "executionCondition": "always"
         *           }
         *         }
         *       ]
         *     }
         */
        WorkflowCanvas: {
            /** @description Set by the service */
            id?: string | null;
            /** @description Addresses the workflow in its team; written as a slug */
            name?: string | null;
            /** @description Defaults to the name */
            displayName?: string | null;
            /**
             * @description Default active
             * @example active
             * @example inactive
             */
            status?: string | null;
            /** @description Set by the service */
            version?: number | null;
            /** @description ISO 8601 in UTC, of the first version. Set by the service */
            creationDate?: string | null;
            changelog?: components["schemas"]["ChangeLog"] | null;
            icon?: string | null;
            description?: string | null;
            /** @description Notes */
            markdown?: string | null;
            /** @description Merged into the existing ones; null removes one */
            labels?: {
                [key: string]: string | null;
            } | null;
            /** @description Merged into the existing ones; null removes one */
            annotations?: {
                [key: string]: unknown;
            } | null;
            /** @description Minutes of wall time; 0 means none */
            timeout?: number | null;
            /** @description Number of new runs after one that failed or timed out */
            retries?: number | null;
            /** @description Some task has a newer version than the one in use. Computed */
            upgradesAvailable?: boolean | null;
            triggers?: components["schemas"]["WorkflowTrigger"] | null;
            /** @description In the response to a save: problems that don't prevent saving. Set by the service */
            warnings?: components["schemas"]["WorkflowProblem"][] | null;
            workspaces?: components["schemas"]["WorkflowWorkspace"][] | null;
            /**
             * @description What happens to a task whose parameters refer to a name that doesn't exist: it fails (default), or the text stays
             * @enum {string|null}
             */
            unresolvedReferences?: "fail" | "keep" | null;
            /** @description The parameters of the workflow */
            config?: components["schemas"]["AbstractParam"][] | null;
            nodes?: components["schemas"]["CanvasNode"][] | null;
            edges?: components["schemas"]["CanvasEdge"][] | null;
        } & {
            [key: string]: unknown;
        };
        /**
         * @example {
         *       "severity": "error",
         *       "reason": "WORKFLOW_INVALID_TASK_REF",
         *       "message": "Task build refers to bild: neither the team has such a task nor is there a global one",
         *       "node": "build",
         *       "path": "/tasks/0/taskRef"
         *     }
         */
        WorkflowProblem: {
            /**
             * @description A document with warnings can be saved
             * @enum {string}
             */
            severity: "error" | "warning";
            /** @description The code of the error when saving; for a warning UNKNOWN_MEMBER, UNRESOLVED_REFERENCE, NO_EXECUTOR, CUT_BY_LIMIT, UNREACHABLE_NODE, SHORT_SECRET, INVALID_VALUE */
            reason: string;
            message: string;
            /** @description Name of the task that it is about */
            node?: string;
            /** @description JSON pointer into the request */
            path?: string;
        };
        /**
         * @example {
         *       "content": [
         *         {
         *           "name": "welcome",
         *           "displayName": "Welcome",
         *           "labels": {
         *             "stage": "test"
         *           },
         *           "params": [
         *             {
         *               "name": "name",
         *               "type": "text",
         *               "default": "world"
         *             }
         *           ],
         *           "tasks": [
         *             {
         *               "name": "say hello",
         *               "taskRef": "greet",
         *               "params": [
         *                 {
         *                   "name": "who",
         *                   "value": "$(params.name)"
         *                 }
         *               ]
         *             },
         *             {
         *               "name": "ask",
         *               "type": "approval",
         *               "taskRef": "manual-approval",
         *               "dependencies": [
         *                 {
         *                   "taskRef": "say hello",
         *                   "executionCondition": "success"
         *                 }
         *               ]
         *             }
         *           ]
         *         }
         *       ],
         *       "number": 0,
         *       "size": 10,
         *       "numberOfElements": 1,
         *       "totalElements": 1,
         *       "totalPages": 1,
         *       "first": true,
         *       "last": true,
         *       "empty": false,
         *       "sort": {
         *         "sorted": true,
         *         "unsorted": false,
         *         "empty": false
         *       },
         *       "pageable": {
         *         "pageNumber": 0,
         *         "pageSize": 10,
         *         "offset": 0,
         *         "paged": true,
         *         "unpaged": false,
         *         "sort": {
         *           "sorted": true,
         *           "unsorted": false,
         *           "empty": false
         *         }
         *       }
         *     }
         */
        WorkflowResponsePage: {
            content: components["schemas"]["Workflow"][];
            /** @description Index of this page, zero-based */
            number: number;
            /** @description The requested limit */
            size: number;
            numberOfElements: number;
            /** @description Matching items on all pages */
            totalElements: number;
            totalPages: number;
            first: boolean;
            last: boolean;
            empty: boolean;
            sort: components["schemas"]["PageSort"];
            pageable: components["schemas"]["PageableObject"];
        };
        /**
         * @example {
         *       "labels": {
         *         "stage": "test"
         *       },
         *       "annotations": {},
         *       "workspaces": [],
         *       "creationDate": "2026-03-01T12:00:00.000Z",
         *       "startTime": "2026-03-01T12:00:00.000Z",
         *       "status": "succeeded",
         *       "workflowRef": "0198c1de-7d6b-7d44-b2c3-1f0a8e5d4c32",
         *       "workflowName": "welcome",
         *       "workflowRevisionRef": "0198c1de-7d6c-7aa1-9c57-3e2d1b0f9e43",
         *       "id": "0198c1de-7d71-7e12-8a68-7c5b4d3e2f54",
         *       "duration": 4200,
         *       "phase": "completed",
         *       "timeout": 120,
         *       "retries": 0,
         *       "debug": false,
         *       "awaitingApproval": false,
         *       "warningCount": 0,
         *       "workflowDisplayName": "Welcome",
         *       "workflowVersion": 1,
         *       "trigger": "manual",
         *       "initiatedByRef": "0198c1de-7d60-7a51-9f22-0c4e6e1f7a10",
         *       "initiatedByType": "user",
         *       "initiatedByName": "Ada",
         *       "params": [
         *         {
         *           "name": "name",
         *           "value": "Ada"
         *         }
         *       ],
         *       "results": [],
         *       "tasks": [
         *         {
         *           "labels": {
         *             "stage": "test"
         *           },
         *           "annotations": {},
         *           "workspaces": [],
         *           "creationDate": "2026-03-01T12:00:00.000Z",
         *           "startTime": "2026-03-01T12:00:00.000Z",
         *           "status": "succeeded",
         *           "workflowRef": "0198c1de-7d6b-7d44-b2c3-1f0a8e5d4c32",
         *           "workflowName": "welcome",
         *           "workflowRevisionRef": "0198c1de-7d6c-7aa1-9c57-3e2d1b0f9e43",
         *           "id": "0198c1de-7d72-7f83-a479-9d8e7f6a5b65",
         *           "type": "template",
         *           "name": "say hello",
         *           "duration": 4200,
         *           "params": [
         *             {
         *               "name": "who",
         *               "value": "Ada"
         *             }
         *           ],
         *           "results": [
         *             {
         *               "name": "greeting",
         *               "value": "hello Ada"
         *             }
         *           ],
         *           "phase": "completed",
         *           "attempt": 1,
         *           "taskRef": "0198c1de-7d66-7b0c-8d31-5a9d7c3e2b21",
         *           "taskName": "greet",
         *           "taskVersion": 1,
         *           "workflowRunRef": "0198c1de-7d71-7e12-8a68-7c5b4d3e2f54"
         *         }
         *       ]
         *     }
         */
        WorkflowRun: {
            id: string;
            creationDate: string;
            startTime?: string;
            /**
             * Format: int64
             * @description Milliseconds from start to end; 0 until it ends
             */
            duration: number;
            /**
             * Format: int64
             * @description Milliseconds in the queue; absent until it starts
             */
            queued?: number;
            /** @enum {string} */
            status: "notstarted" | "ready" | "running" | "waiting" | "succeeded" | "failed" | "invalid" | "skipped" | "cancelled" | "timedout";
            /** @enum {string} */
            phase: "pending" | "queued" | "running" | "completed" | "finalized";
            statusMessage?: string;
            /** @description A typed word for the status: TaskFailed, DeadlineExceeded … */
            reason?: string;
            /** @description Why it is waiting, with names */
            waitingFor?: string;
            /** @description annotations, params and results are left out because the response would be too large; read the run by itself */
            truncated?: boolean;
            /** @description Warnings of its task runs and of the run itself */
            warningCount: number;
            /** @description The first 100 of them, if the response contains the task runs */
            warnings?: components["schemas"]["RunWarning"][];
            /** @description Minutes */
            timeout?: number;
            retries: number;
            debug: boolean;
            awaitingApproval: boolean;
            workflowRef: string;
            workflowName?: string;
            workflowDisplayName?: string;
            workflowVersion: number;
            workflowRevisionRef: string;
            /** @enum {string} */
            trigger: "manual" | "schedule" | "webhook" | "event" | "codehost" | "workflow" | "engine" | "task";
            /** @description ID of the user, token or schedule; of the run whose task or end started it; or one of the instance's own: webhook, codehost or chat */
            initiatedByRef?: string;
            /**
             * @description workflow: a task or the end of another run
             * @enum {string}
             */
            initiatedByType?: "user" | "token" | "workflow" | "schedule" | "instance";
            /** @description Its current name: of a workflow if another run started it; absent if it was deleted */
            initiatedByName?: string;
            labels: {
                [key: string]: string;
            };
            annotations: {
                [key: string]: unknown;
            };
            params: components["schemas"]["RunParam"][];
            results: components["schemas"]["RunResult"][];
            workspaces: components["schemas"]["WorkflowWorkspace"][];
            tasks?: components["schemas"]["TaskRun"][];
            /** @description The first run of this series of retries */
            retryOf?: string;
            parentRunRef?: string;
        };
        /**
         * @example {
         *       "status": {
         *         "all": 17,
         *         "notstarted": 0,
         *         "ready": 1,
         *         "running": 1,
         *         "waiting": 0,
         *         "succeeded": 13,
         *         "failed": 1,
         *         "invalid": 0,
         *         "skipped": 0,
         *         "cancelled": 1,
         *         "timedout": 0
         *       }
         *     }
         */
        WorkflowRunCount: {
            /** @description Runs by status, and `all` */
            status: {
                [key: string]: number;
            };
        };
        /**
         * @example {
         *       "fromDate": "2026-03-01T00:00:00.000Z",
         *       "toDate": "2026-03-02T00:00:00.000Z",
         *       "timezone": "UTC",
         *       "totalRuns": 2,
         *       "concurrentRuns": 0,
         *       "totalDuration": 10200,
         *       "medianDuration": 5100,
         *       "successRate": 0.5,
         *       "statuses": {
         *         "notstarted": 0,
         *         "ready": 0,
         *         "running": 0,
         *         "waiting": 0,
         *         "succeeded": 1,
         *         "failed": 1,
         *         "invalid": 0,
         *         "skipped": 0,
         *         "cancelled": 0,
         *         "timedout": 0
         *       },
         *       "durations": {
         *         "p50": 5100,
         *         "p90": 5820,
         *         "p95": 5910,
         *         "p99": 5982,
         *         "max": 6000
         *       },
         *       "queueTimes": {
         *         "p50": 40,
         *         "p90": 56,
         *         "p95": 58,
         *         "p99": 60,
         *         "max": 60
         *       },
         *       "days": [
         *         {
         *           "date": "2026-03-01",
         *           "total": 2,
         *           "succeeded": 1,
         *           "failed": 1,
         *           "medianDuration": 5100
         *         }
         *       ],
         *       "workflows": [
         *         {
         *           "workflowRef": "0198c1de-7d6b-7d44-b2c3-1f0a8e5d4c32",
         *           "teamRef": "0198c1de-7d5c-7c3b-a1f0-2b7f6d2d9b1e",
         *           "workflowName": "welcome",
         *           "workflowDisplayName": "Welcome",
         *           "isDeleted": false,
         *           "total": 2,
         *           "succeeded": 1,
         *           "failed": 1,
         *           "successRate": 0.5,
         *           "totalDuration": 10200,
         *           "medianDuration": 5100,
         *           "p95Duration": 5910
         *         }
         *       ],
         *       "runs": [
         *         {
         *           "id": "0198c1de-7d71-7e12-8a68-7c5b4d3e2f54",
         *           "creationDate": "2026-03-01T12:00:00.000Z",
         *           "duration": 4200,
         *           "status": "succeeded",
         *           "workflowRef": "0198c1de-7d6b-7d44-b2c3-1f0a8e5d4c32",
         *           "workflowName": "welcome"
         *         }
         *       ]
         *     }
         */
        WorkflowRunInsight: {
            fromDate: string;
            toDate: string;
            timezone: string;
            totalRuns: number;
            /** @description Of these, those that are running now */
            concurrentRuns: number;
            /**
             * Format: int64
             * @description Milliseconds of all runs that have ended
             */
            totalDuration: number;
            /**
             * Format: int64
             * @description The median, in milliseconds; 0 if no run has ended
             */
            medianDuration: number;
            /** @description succeeded / (succeeded + failed); null if there are none */
            successRate: number | null;
            /** @description Number of runs per status, for every status */
            statuses: {
                [key: string]: number;
            };
            durations: components["schemas"]["DurationPercentiles"];
            queueTimes: components["schemas"]["DurationPercentiles"];
            /** @description Every day, including days without runs */
            days: components["schemas"]["InsightDay"][];
            /** @description The 20 with the most runs */
            workflows: components["schemas"]["InsightWorkflow"][];
            /** @description The 20 with the most runs; for the instance only */
            teams?: components["schemas"]["InsightTeam"][] | null;
            /** @description The end of the period, newest first */
            runs: components["schemas"]["WorkflowRunSummary"][];
        };
        /**
         * @example {
         *       "labels": {
         *         "stage": "test"
         *       },
         *       "params": [
         *         {
         *           "name": "name",
         *           "value": "Ada"
         *         }
         *       ]
         *     }
         */
        WorkflowRunRequest: {
            /** @description Added to the labels of the workflow */
            labels?: {
                [key: string]: string;
            } | null;
            annotations?: {
                [key: string]: unknown;
            } | null;
            params?: components["schemas"]["RunParam"][] | null;
            workspaces?: components["schemas"]["WorkflowWorkspace"][] | null;
            /** @description Minutes of wall time; defaults to that of the workflow */
            timeout?: number | null;
            /** @description Number of new runs after this one fails or times out; 0 and -1: none */
            retries?: number | null;
            debug?: boolean | null;
        };
        WorkflowRunSummary: {
            id: string;
            creationDate: string;
            /**
             * Format: int64
             * @description Milliseconds from start to end; 0 until it ends
             */
            duration: number;
            /** @enum {string} */
            status: "notstarted" | "ready" | "running" | "waiting" | "succeeded" | "failed" | "invalid" | "skipped" | "cancelled" | "timedout";
            workflowRef: string;
            workflowName?: string;
        };
        /**
         * @example {
         *       "name": "weekday mornings",
         *       "workflowRef": "welcome",
         *       "type": "cron",
         *       "cronSchedule": "0 8 * * MON-FRI",
         *       "timezone": "Europe/Berlin",
         *       "params": [
         *         {
         *           "name": "name",
         *           "value": "everybody"
         *         }
         *       ],
         *       "overlapPolicy": "skip",
         *       "exclusions": [
         *         "2026-12-25",
         *         "2026-12-31/2027-01-02"
         *       ]
         *     }
         */
        WorkflowSchedule: {
            /** @description PUT with an ID changes that schedule, without an ID it creates one */
            id?: string | null;
            /** @description Name or ID of a workflow of the team. Returned as name */
            workflowRef?: string | null;
            /** @description Display name of the workflow. Set by the service */
            workflowDisplayName?: string | null;
            /** @description Defaults to the name of the workflow */
            name?: string | null;
            description?: string | null;
            /** @description ISO 8601 in UTC. Set by the service */
            creationDate?: string | null;
            /**
             * @description cron, advancedCron, runOnce; default cron. cron and advancedCron mean the same
             * @example cron
             * @example advancedCron
             * @example runOnce
             */
            type?: string | null;
            /**
             * @description active (default), inactive (paused) or archived (retired) as set by a person; trigger_disabled, completed and error are set by the service
             * @example active
             * @example inactive
             * @example archived
             */
            status?: string | null;
            /** @description Why it has its status, or the outcome of its last time. Set by the service */
            statusMessage?: string | null;
            /** @description Why it doesn't fire although it is active, and when it continues: the clock of the database went back. Set by the service */
            waitingFor?: string | null;
            /** @description Added to each run, in addition to those of the workflow */
            labels?: {
                [key: string]: string;
            } | null;
            /**
             * @description Unless runOnce: 5, 6 or 7 fields, or a macro
             * @example 0 8 * * MON-FRI
             */
            cronSchedule?: string | null;
            /**
             * @description For runOnce: ISO 8601 (without an offset it is a time of `timezone`), or milliseconds since the epoch. Read as ISO 8601 in UTC
             * @example 2030-01-31T08:00:00Z
             */
            dateSchedule?: string | number | null;
            /**
             * @description IANA name, required
             * @example Europe/Berlin
             */
            timezone?: string | null;
            /** @description Passed to each run */
            params?: components["schemas"]["RunParam"][] | null;
            /**
             * @description If a run of the schedule is still open: queue (default) submits another, skip leaves it out, cancel ends the open ones first
             * @example skip
             * @example queue
             * @example cancel
             */
            overlapPolicy?: string | null;
            /**
             * @description Times that passed while the service was down: one (default) run for all of them, all of them, or none
             * @example none
             * @example one
             * @example all
             */
            catchUpPolicy?: string | null;
            /** @description Minutes back in which missed times are caught up; absent: a day for all, no limit for one */
            catchUpWindow?: number | null;
            /** @description Each run starts up to this many seconds later; default 0 */
            jitter?: number | null;
            /**
             * @description Days in `timezone` on which it doesn't fire: dates, and ranges including both ends
             * @example [
             *       "2030-12-25",
             *       "2030-12-31/2031-01-02"
             *     ]
             */
            exclusions?: string[] | null;
            /** @description ISO 8601 in UTC, without the jitter. Set by the service while it is active, or would be if the trigger of its workflow were on */
            nextScheduleDate?: string | null;
            /** @description The time for which a run was last submitted. Set by the service */
            lastScheduleDate?: string | null;
            /** @description ID of that run. Set by the service */
            lastRunRef?: string | null;
        };
        /**
         * @example {
         *       "scheduleId": "0198c1de-7d7e-7d1b-96ab-4a3b2c1d0e87",
         *       "dates": [
         *         "2026-03-02T07:00:00.000Z",
         *         "2026-03-03T07:00:00.000Z"
         *       ]
         *     }
         */
        WorkflowScheduleCalendar: {
            scheduleId: string;
            /** @description ISO 8601 in UTC, ascending, without the jitter */
            dates: string[];
        };
        /**
         * @example {
         *       "params": [
         *         {
         *           "name": "city",
         *           "value": "Oslo"
         *         }
         *       ],
         *       "trigger": "manual"
         *     }
         */
        WorkflowSubmitRequest: {
            /** @description Added to the labels of the workflow */
            labels?: {
                [key: string]: string;
            } | null;
            annotations?: {
                [key: string]: unknown;
            } | null;
            params?: components["schemas"]["RunParam"][] | null;
            workspaces?: components["schemas"]["WorkflowWorkspace"][] | null;
            /** @description Minutes of wall time; defaults to that of the workflow */
            timeout?: number | null;
            /** @description Number of new runs after this one fails or times out; 0 and -1: none */
            retries?: number | null;
            debug?: boolean | null;
            /** @description Default: the latest */
            workflowVersion?: number | null;
            /**
             * @description Checked against the workflow's triggers; workflow, engine and task are refused
             * @enum {string|null}
             */
            trigger?: "manual" | "schedule" | "webhook" | "event" | "codehost" | "workflow" | "engine" | "task" | null;
        };
        WorkflowSummary: {
            id: string;
            name: string;
            displayName?: string;
            status?: string;
            version?: number;
            /** Format: date-time */
            creationDate?: string;
            icon?: string;
            description?: string;
        };
        WorkflowTask: {
            /** @description Unique in the workflow */
            name: string;
            /** @description Name or ID of the task: the team's own first, then a global one. Returned as name */
            taskRef?: string | null;
            /** @description Version of the task; defaults to the latest */
            taskVersion?: number | null;
            /** @description The task has a newer version. Computed */
            upgradesAvailable?: boolean | null;
            /** @description Minutes; 0 means no limit of its own */
            timeout?: number | null;
            labels?: {
                [key: string]: string;
            } | null;
            annotations?: {
                [key: string]: unknown;
            } | null;
            /** @description Values for the parameters of the task */
            params?: components["schemas"]["RunParam"][] | null;
            /** @description Results in addition to those of the task */
            results?: components["schemas"]["ResultSpec"][] | null;
            workspaces?: components["schemas"]["TaskWorkspace"][] | null;
            forEach?: components["schemas"]["ForEach"] | null;
            retry?: components["schemas"]["RetryPolicy"] | null;
            /**
             * @description What happens if its worker is lost; default retry
             * @enum {string|null}
             */
            onLost?: "retry" | "fail" | null;
            /**
             * @description What happens if its parameters refer to a name that doesn't exist; defaults to that of the workflow, which is fail
             * @enum {string|null}
             */
            unresolvedReferences?: "fail" | "keep" | null;
            /**
             * @description The type of its task, which is the default
             * @enum {string|null}
             */
            type?: "start" | "end" | "template" | "custom" | "generic" | "script" | "decision" | "approval" | "manual" | "eventwait" | "sleep" | "acquirelock" | "releaselock" | "runworkflow" | "runscheduledworkflow" | "setwfproperty" | "setwfstatus" | null;
            dependencies?: components["schemas"]["WorkflowTaskDependency"][] | null;
        } & {
            [key: string]: unknown;
        };
        WorkflowTaskDependency: {
            /** @description Name of the other task of this workflow */
            taskRef: string;
            /**
             * @description When the edge is followed; default always
             * @enum {string|null}
             */
            executionCondition?: "always" | "success" | "failure" | null;
            /** @description Regular expressions (RE2), one per line, on edges that leave a decision */
            decisionCondition?: string | null;
        } & {
            [key: string]: unknown;
        };
        /**
         * @example {
         *       "name": "check-a-website",
         *       "displayName": "Check a website",
         *       "description": "Requests a page, and fails if it doesn't respond",
         *       "labels": {
         *         "area": "monitoring"
         *       },
         *       "params": [
         *         {
         *           "name": "url",
         *           "type": "url",
         *           "required": true
         *         }
         *       ],
         *       "tasks": [
         *         {
         *           "name": "ask",
         *           "taskRef": "execute-advanced-http-call",
         *           "params": [
         *             {
         *               "name": "url",
         *               "value": "$(params.url)"
         *             }
         *           ]
         *         }
         *       ]
         *     }
         */
        WorkflowTemplate: {
            /** @description Set by the service */
            id?: string | null;
            /**
             * @description Letters, digits and hyphens; unique regardless of case
             * @example check-a-website
             */
            name: string;
            /** @description Defaults to the name */
            displayName?: string | null;
            /** @description Set by the service */
            version?: number | null;
            /** @description ISO 8601 in UTC, of this version. Set by the service */
            creationDate?: string | null;
            changelog?: components["schemas"]["ChangeLog"] | null;
            icon?: string | null;
            description?: string | null;
            /** @description Notes */
            markdown?: string | null;
            /** @description Merged into the existing ones; null removes one */
            labels?: {
                [key: string]: string | null;
            } | null;
            /** @description Merged into the existing ones; null removes one */
            annotations?: {
                [key: string]: unknown;
            } | null;
            /** @description Minutes; 0 means the quota of the team that runs it */
            timeout?: number | null;
            /** @description Number of new runs after one that failed or timed out */
            retries?: number | null;
            /** @description Some task has a newer version than the one in use. Computed */
            upgradesAvailable?: boolean | null;
            /** @description In the response to a save: problems that don't prevent saving. Set by the service */
            warnings?: components["schemas"]["WorkflowProblem"][] | null;
            workspaces?: components["schemas"]["WorkflowWorkspace"][] | null;
            /**
             * @description What happens to a task whose parameters refer to a name that doesn't exist: it fails (default), or the text stays
             * @enum {string|null}
             */
            unresolvedReferences?: "fail" | "keep" | null;
            /** @description Its graph, of global tasks; start and end are added when missing */
            tasks?: components["schemas"]["WorkflowTask"][] | null;
            params?: components["schemas"]["AbstractParam"][] | null;
        } & {
            [key: string]: unknown;
        };
        /**
         * @example {
         *       "content": [
         *         {
         *           "name": "check-a-website",
         *           "displayName": "Check a website",
         *           "description": "Requests a page, and fails if it doesn't respond",
         *           "labels": {
         *             "area": "monitoring"
         *           },
         *           "params": [
         *             {
         *               "name": "url",
         *               "type": "url",
         *               "required": true
         *             }
         *           ],
         *           "tasks": [
         *             {
         *               "name": "ask",
         *               "taskRef": "execute-advanced-http-call",
         *               "params": [
         *                 {
         *                   "name": "url",
         *                   "value": "$(params.url)"
         *                 }
         *               ]
         *             }
         *           ]
         *         }
         *       ],
         *       "number": 0,
         *       "size": 10,
         *       "numberOfElements": 1,
         *       "totalElements": 1,
         *       "totalPages": 1,
         *       "first": true,
         *       "last": true,
         *       "empty": false,
         *       "sort": {
         *         "sorted": true,
         *         "unsorted": false,
         *         "empty": false
         *       },
         *       "pageable": {
         *         "pageNumber": 0,
         *         "pageSize": 10,
         *         "offset": 0,
         *         "paged": true,
         *         "unpaged": false,
         *         "sort": {
         *           "sorted": true,
         *           "unsorted": false,
         *           "empty": false
         *         }
         *       }
         *     }
         */
        WorkflowTemplateResponsePage: {
            content: components["schemas"]["WorkflowTemplate"][];
            /** @description Index of this page, zero-based */
            number: number;
            /** @description The requested limit */
            size: number;
            numberOfElements: number;
            /** @description Matching items on all pages */
            totalElements: number;
            totalPages: number;
            first: boolean;
            last: boolean;
            empty: boolean;
            sort: components["schemas"]["PageSort"];
            pageable: components["schemas"]["PageableObject"];
        };
        WorkflowTrigger: {
            manual?: components["schemas"]["Trigger"] | null;
            schedule?: components["schemas"]["Trigger"] | null;
            webhook?: components["schemas"]["Trigger"] | null;
            event?: components["schemas"]["Trigger"] | null;
            codehost?: components["schemas"]["Trigger"] | null;
            workflow?: components["schemas"]["Trigger"] | null;
        };
        WorkflowWorkspace: {
            name: string;
            description?: string;
            /**
             * @example workflow
             * @example workflowrun
             */
            type?: string;
            optional?: boolean;
            spec?: {
                accessMode?: string;
                className?: string;
                mountPath?: string;
                /** @description Gi */
                size?: string | number;
            } & {
                [key: string]: unknown;
            };
        };
        WorkspaceDeclaration: {
            name: string;
            description?: string;
            mountPath?: string;
            readOnly?: boolean;
            optional?: boolean;
        } & {
            [key: string]: unknown;
        };
    };
    responses: {
        /** @description The request is malformed or invalid; `errors` says where */
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "timestamp": "2026-03-01T12:00:00.000Z",
                 *       "code": 400,
                 *       "reason": "VALIDATION_FAILED",
                 *       "message": "The request is invalid: limit is missing",
                 *       "status": "400 BAD_REQUEST",
                 *       "cause": null,
                 *       "requestId": "0198c1de-7d5c-7c3b-a1f0-2b7f6d2d9b1e"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description No credential, or one that is unknown, revoked or expired */
        Unauthenticated: {
            headers: {
                /** @description How to sign in */
                "WWW-Authenticate"?: string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "timestamp": "2026-03-01T12:00:00.000Z",
                 *       "code": 401,
                 *       "reason": "UNAUTHENTICATED",
                 *       "message": "No valid credential: send Authorization: Bearer TOKEN or x-access-token: TOKEN",
                 *       "status": "401 UNAUTHORIZED",
                 *       "cause": null,
                 *       "requestId": "0198c1de-7d5c-7c3b-a1f0-2b7f6d2d9b1e"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description Known, but not allowed */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "timestamp": "2026-03-01T12:00:00.000Z",
                 *       "code": 403,
                 *       "reason": "PERMISSION_DENIED",
                 *       "message": "Not allowed: this needs the permission team/write in team hawks",
                 *       "status": "403 FORBIDDEN",
                 *       "cause": null,
                 *       "requestId": "0198c1de-7d5c-7c3b-a1f0-2b7f6d2d9b1e"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description Unknown, or not visible to the caller, which is not told apart */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "timestamp": "2026-03-01T12:00:00.000Z",
                 *       "code": 1101,
                 *       "reason": "TEAM_INVALID_REF",
                 *       "message": "There is no team hawks",
                 *       "status": "404 NOT_FOUND",
                 *       "cause": null,
                 *       "requestId": "0198c1de-7d5c-7c3b-a1f0-2b7f6d2d9b1e"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description Not possible in the present state, or somebody else was faster */
        Conflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "timestamp": "2026-03-01T12:00:00.000Z",
                 *       "code": 409,
                 *       "reason": "CONFLICT",
                 *       "message": "The request collides with something that exists",
                 *       "status": "409 CONFLICT",
                 *       "cause": null,
                 *       "requestId": "0198c1de-7d5c-7c3b-a1f0-2b7f6d2d9b1e"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description Somebody else has changed it since the `ETag` that `If-Match` names */
        PreconditionFailed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "timestamp": "2026-03-01T12:00:00.000Z",
                 *       "code": 412,
                 *       "reason": "PRECONDITION_FAILED",
                 *       "message": "If-Match names \"1-1\", but its tag is \"1-2\" now; read it again and repeat the change",
                 *       "status": "412 PRECONDITION_FAILED",
                 *       "cause": null,
                 *       "requestId": "0198c1de-7d5c-7c3b-a1f0-2b7f6d2d9b1e"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description The body is too large */
        BodyTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "timestamp": "2026-03-01T12:00:00.000Z",
                 *       "code": 413,
                 *       "reason": "BODY_TOO_LARGE",
                 *       "message": "The body is larger than 1048576 bytes",
                 *       "status": "413 PAYLOAD_TOO_LARGE",
                 *       "cause": null,
                 *       "requestId": "0198c1de-7d5c-7c3b-a1f0-2b7f6d2d9b1e"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description The body has a content type that is not taken here */
        UnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "timestamp": "2026-03-01T12:00:00.000Z",
                 *       "code": 415,
                 *       "reason": "UNSUPPORTED_MEDIA_TYPE",
                 *       "message": "Content type text/csv is not supported here; use application/json",
                 *       "status": "415 UNSUPPORTED_MEDIA_TYPE",
                 *       "cause": null,
                 *       "requestId": "0198c1de-7d5c-7c3b-a1f0-2b7f6d2d9b1e"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description A name is taken or reserved */
        Unprocessable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "timestamp": "2026-03-01T12:00:00.000Z",
                 *       "code": 1102,
                 *       "reason": "TEAM_NON_UNIQUE_NAME",
                 *       "message": "Team name hawks is taken",
                 *       "status": "422 UNPROCESSABLE_ENTITY",
                 *       "cause": null,
                 *       "requestId": "0198c1de-7d5c-7c3b-a1f0-2b7f6d2d9b1e"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description The instance is not activated yet, or the team is inactive */
        Locked: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "timestamp": "2026-03-01T12:00:00.000Z",
                 *       "code": 423,
                 *       "reason": "NOT_ACTIVATED",
                 *       "message": "This instance is not activated yet; see PUT /api/v2/activate",
                 *       "status": "423 LOCKED",
                 *       "cause": null,
                 *       "requestId": "0198c1de-7d5c-7c3b-a1f0-2b7f6d2d9b1e"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description Too many requests, or a quota is used up */
        TooManyRequests: {
            headers: {
                /** @description Seconds after which to try again */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "timestamp": "2026-03-01T12:00:00.000Z",
                 *       "code": 429,
                 *       "reason": "TOO_MANY_REQUESTS",
                 *       "message": "Too many requests; try again in 1 s",
                 *       "status": "429 TOO_MANY_REQUESTS",
                 *       "cause": null,
                 *       "requestId": "0198c1de-7d5c-7c3b-a1f0-2b7f6d2d9b1e"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description What was wrong */
        Error: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    createTeam: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TeamRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Team"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    queryTeams: {
        parameters: {
            query: {
                /** @description Items on a page */
                limit: number;
                /** @description Index of the page, zero-based */
                page: number;
                /** @description Pairs key=value, each URL-encoded (= becomes %3D), separated by commas; all must match */
                labels?: string[];
                /** @description Statuses, all when left out */
                statuses?: ("active" | "inactive")[];
                /** @description Names or ids of teams, all when left out */
                teams?: string[];
                /** @description Only those with this text in the name or the display name, whatever the case; of several words each must be there. Empty: all */
                search?: string;
                /** @description Order of the sort field */
                order?: "ASC" | "DESC";
                /** @description name, displayName, status or creationDate; any other counts as name */
                sort?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageTeam"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    listRoles: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Role"][];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    getDefaultQuotas: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Quotas"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    validateTeamName: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TeamNameCheckRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        name: string;
                        valid: boolean;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    getTeam: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the team */
                team: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Team"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    deleteTeam: {
        parameters: {
            query?: {
                /** @description false: a 409 while there are runs that are not over; they are cancelled otherwise */
                force?: boolean;
            };
            header?: never;
            path: {
                /** @description Name or id of the team */
                team: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    changeTeam: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the team */
                team: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TeamRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Team"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    deleteMembers: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the team */
                team: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TeamMember"][];
            };
        };
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    deleteApprovers: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the team */
                team: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": string[];
            };
        };
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    deleteTeamParameter: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the team */
                team: string;
                /** @description Name of the parameter */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    leaveTeam: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the team */
                team: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    resetQuotas: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the team */
                team: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    queryUsers: {
        parameters: {
            query: {
                /** @description Items on a page */
                limit: number;
                /** @description Index of the page, zero-based */
                page: number;
                /** @description Pairs key=value, each URL-encoded (= becomes %3D), separated by commas; all must match */
                labels?: string[];
                /** @description Statuses, all when left out */
                status?: ("active" | "inactive" | "pending_deletion" | "deleted" | "archived")[];
                /** @description Ids or email addresses of users, all when left out */
                ids?: string[];
                /** @description Types, all when left out */
                types?: ("user" | "admin" | "operator" | "sponsor" | "auditor" | "author" | "partner" | "advisor")[];
                /** @description Only those with this text in a name or the email address, whatever the case; of several words each must be there. Empty: all */
                search?: string;
                /** @description Order of the sort field */
                order?: "ASC" | "DESC";
                /** @description name, displayName, email, type, status, creationDate or lastLoginDate; any other counts as name */
                sort?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageUser"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id or email address of the user */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    deleteUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id or email address of the user */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    changeUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id or email address of the user */
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserRequest"];
            };
        };
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    makePasswordCode: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id or email address of the user */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasswordCode"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    getProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserProfile"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    changeProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserRequest"];
            };
        };
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    listSignInMethods: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInMethods"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordChange"];
            };
        };
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    signInWithPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordSignIn"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserProfile"];
                };
            };
            400: components["responses"]["BadRequest"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    signInWithToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    getCaller: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Caller"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    resetPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordReset"];
            };
        };
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    startOidc: {
        parameters: {
            query?: {
                /** @description Path of this service to go on to, / when left out */
                returnTo?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Goes on at `Location` */
            302: {
                headers: {
                    location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    finishOidc: {
        parameters: {
            query?: {
                /** @description As the provider sends it */
                code?: string;
                /** @description As the provider sends it */
                state?: string;
                /** @description As the provider sends it */
                iss?: string;
                /** @description As the provider sends it */
                error?: string;
                /** @description As the provider sends it */
                error_description?: string;
                /** @description As the provider sends it */
                error_uri?: string;
                /** @description As the provider sends it */
                session_state?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Goes on at `Location` */
            302: {
                headers: {
                    location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"][];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the session */
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    createToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TokenCreateRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenCreateResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    queryTokens: {
        parameters: {
            query: {
                /** @description Items on a page */
                limit: number;
                /** @description Index of the page, zero-based */
                page: number;
                /** @description Types, all when left out */
                types?: ("session" | "user" | "team" | "workflow" | "global")[];
                /** @description Names or ids of teams, ids of workflows, ids or email addresses of users, ** for global tokens; all when left out */
                principals?: string[];
                /** @description Order of the sort field */
                order?: "ASC" | "DESC";
                /** @description creationDate, name, type or expirationDate; any other counts as creationDate */
                sort?: string;
                /** @description Made at this time or later, in milliseconds since the epoch */
                fromDate?: number;
                /** @description Made before this time, in milliseconds since the epoch */
                toDate?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageToken"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    deleteToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the token, not the token itself */
                tokenId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    applyWorkflow: {
        parameters: {
            query?: {
                /** @description Replace the latest version instead of making a new one */
                replace?: boolean;
            };
            header?: {
                /** @description ETag of the state that is to be changed; 412 when it has another one now */
                "If-Match"?: string;
            };
            path: {
                /** @description Name or id of the team */
                team: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Workflow"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workflow"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    createWorkflow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the team */
                team: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Workflow"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workflow"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    validateWorkflow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the team */
                team: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Workflow"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowProblem"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    queryWorkflows: {
        parameters: {
            query: {
                /** @description Direction of the order */
                sort?: "ASC" | "DESC";
                /** @description The date of creation, the display name, the newest run, or how many of the 20 latest runs succeeded of those that have ended and were not cancelled */
                sortBy?: "creationDate" | "name" | "lastRun" | "successRate";
                /** @description Items on a page */
                limit: number;
                /** @description Index of the page, zero-based */
                page: number;
                /** @description Pairs key=value, each URL-encoded (= becomes %3D), separated by commas; all must match */
                labels?: string[];
                /** @description Default all */
                statuses?: ("active" | "inactive")[];
                /** @description Names or ids; default all */
                workflows?: string[];
                /** @description Only those with this text in the name, the display name or the description, whatever the case; of several words each must be there. Empty: all */
                search?: string;
                /** @description False leaves the tasks out */
                withTasks?: boolean;
                /** @description So many of the latest runs of each, as `latestRuns` */
                withRuns?: number;
            };
            header?: never;
            path: {
                /** @description Name or id of the team */
                team: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowResponsePage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    getWorkflow: {
        parameters: {
            query?: {
                /** @description The latest when absent */
                version?: number;
                /** @description False leaves the tasks out */
                withTasks?: boolean;
            };
            header?: never;
            path: {
                /** @description Name or id of the team */
                team: string;
                /** @description Name or id of the workflow */
                workflow: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workflow"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    deleteWorkflow: {
        parameters: {
            query?: {
                /** @description false: a 409 while there are runs that are not over; they are cancelled otherwise */
                force?: boolean;
            };
            header?: {
                /** @description ETag of the state that is to be changed; 412 when it has another one now */
                "If-Match"?: string;
            };
            path: {
                /** @description Name or id of the team */
                team: string;
                /** @description Name or id of the workflow */
                workflow: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    getWorkflowCanvas: {
        parameters: {
            query?: {
                /** @description The latest when absent */
                version?: number;
            };
            header?: never;
            path: {
                /** @description Name or id of the team */
                team: string;
                /** @description Name or id of the workflow */
                workflow: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowCanvas"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    applyWorkflowCanvas: {
        parameters: {
            query?: {
                /** @description Replace the latest version instead of making a new one */
                replace?: boolean;
            };
            header?: {
                /** @description ETag of the state that is to be changed; 412 when it has another one now */
                "If-Match"?: string;
            };
            path: {
                /** @description Name or id of the team */
                team: string;
                /** @description Name or id of the workflow */
                workflow: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WorkflowCanvas"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowCanvas"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    duplicateWorkflow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the team */
                team: string;
                /** @description Name or id of the workflow */
                workflow: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workflow"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    exportWorkflow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the team */
                team: string;
                /** @description Name or id of the workflow */
                workflow: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workflow"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    getWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the team */
                team: string;
                /** @description Name or id of the workflow */
                workflow: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSecret"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    makeWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the team */
                team: string;
                /** @description Name or id of the workflow */
                workflow: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSecret"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    deleteWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the team */
                team: string;
                /** @description Name or id of the workflow */
                workflow: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    listAvailableParameters: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the team */
                team: string;
                /** @description Name or id of the workflow */
                workflow: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string[];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    listWorkflowChanges: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the team */
                team: string;
                /** @description Name or id of the workflow */
                workflow: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeLogVersion"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    submitWorkflow: {
        parameters: {
            query?: {
                /** @description Start now instead of queueing */
                start?: boolean;
                /** @description Hold the answer back until the run is over, at most so long: `30s`, `500ms`, `2m`, up to 300s. A run that is not over by then is answered as it is */
                wait?: string;
            };
            header?: {
                /** @description Ids of the workflows that led to the request, the first one first, separated by commas: the variable MILLRACE_LINEAGE of a step. A workflow among them is not started, and a chain has at most ten */
                "Millrace-Lineage"?: string;
                /** @description The same key with the same request within 24 hours gets the first answer again; with another request a 409 */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Name or id of the team */
                team: string;
                /** @description Name or id of the workflow */
                workflow: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WorkflowSubmitRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowRun"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    testTrigger: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the team */
                team: string;
                /** @description Name or id of the workflow */
                workflow: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TriggerTestRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TriggerTest"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    queryRuns: {
        parameters: {
            query?: {
                /** @description Items on a page */
                limit?: number;
                /** @description Index of the page, zero-based */
                page?: number;
                /** @description Order of the sort field */
                order?: "ASC" | "DESC";
                /** @description Pairs key=value, each URL-encoded (= becomes %3D), separated by commas; all must match */
                labels?: string[];
                /** @description Names or ids of workflows; default all */
                workflows?: string[];
                /** @description Who or what started them, as initiatedByRef tells; also with a word before it: user:ID, token:ID, schedule:ID, run:ID; default all */
                initiators?: string[];
                /** @description Made at this time or later, in milliseconds since the epoch */
                fromDate?: number;
                /** @description Made before this time, in milliseconds since the epoch */
                toDate?: number;
                /** @description Default all */
                statuses?: ("notstarted" | "ready" | "running" | "waiting" | "succeeded" | "failed" | "invalid" | "skipped" | "cancelled" | "timedout")[];
                /** @description Default all */
                phase?: ("pending" | "queued" | "running" | "completed" | "finalized")[];
                /** @description Default all */
                triggers?: ("manual" | "schedule" | "webhook" | "event" | "codehost" | "workflow" | "engine" | "task")[];
                /** @description Ids of runs; default all */
                workflowruns?: string[];
            };
            header?: never;
            path: {
                /** @description Name or id of the team */
                team: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageWorkflowRun"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    countRuns: {
        parameters: {
            query?: {
                /** @description Pairs key=value, each URL-encoded (= becomes %3D), separated by commas; all must match */
                labels?: string[];
                /** @description Names or ids of workflows; default all */
                workflows?: string[];
                /** @description Who or what started them, as initiatedByRef tells; also with a word before it: user:ID, token:ID, schedule:ID, run:ID; default all */
                initiators?: string[];
                /** @description Made at this time or later, in milliseconds since the epoch */
                fromDate?: number;
                /** @description Made before this time, in milliseconds since the epoch */
                toDate?: number;
            };
            header?: never;
            path: {
                /** @description Name or id of the team */
                team: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowRunCount"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    getRun: {
        parameters: {
            query?: {
                /** @description False leaves the task runs out */
                withTasks?: boolean;
                /** @description Hold the answer back until the run is over, at most so long: `30s`, `500ms`, `2m`, up to 300s. A run that is not over by then is answered as it is */
                wait?: string;
            };
            header?: never;
            path: {
                /** @description Name or id of the team */
                team: string;
                /** @description Id of the run */
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowRun"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    changeRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the team */
                team: string;
                /** @description Id of the run */
                runId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RunChange"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowRun"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    queryRunFollowUps: {
        parameters: {
            query?: {
                /** @description Items on a page */
                limit?: number;
                /** @description Index of the page, zero-based */
                page?: number;
            };
            header?: never;
            path: {
                /** @description Name or id of the team */
                team: string;
                /** @description Id of the run */
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageRunFollowUp"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    startRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the team */
                team: string;
                /** @description Id of the run */
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WorkflowRunRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowRun"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    cancelRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the team */
                team: string;
                /** @description Id of the run */
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowRun"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    finalizeRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the team */
                team: string;
                /** @description Id of the run */
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowRun"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    retryRun: {
        parameters: {
            query?: {
                /** @description Start the new run now instead of queueing it */
                start?: boolean;
            };
            header?: {
                /** @description Ids of the workflows that led to the request, the first one first, separated by commas: the variable MILLRACE_LINEAGE of a step. A workflow among them is not started, and a chain has at most ten */
                "Millrace-Lineage"?: string;
            };
            path: {
                /** @description Name or id of the team */
                team: string;
                /** @description Id of the run */
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowRun"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    rerunRun: {
        parameters: {
            query?: {
                /** @description Start the new run now instead of queueing it */
                start?: boolean;
            };
            header?: {
                /** @description Ids of the workflows that led to the request, the first one first, separated by commas: the variable MILLRACE_LINEAGE of a step. A workflow among them is not started, and a chain has at most ten */
                "Millrace-Lineage"?: string;
            };
            path: {
                /** @description Name or id of the team */
                team: string;
                /** @description Id of the run */
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowRun"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    watchTeamChanges: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of the last event that was received */
                "last-event-id"?: string;
            };
            path: {
                /** @description Name or id of the team */
                team: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    getTeamInsights: {
        parameters: {
            query?: {
                /** @description Runs made at this time or later; default 30 days before the end, in milliseconds since the epoch */
                fromDate?: number;
                /** @description Runs made before this time; default now, in milliseconds since the epoch */
                toDate?: number;
                /** @description Names or ids of workflows; default all */
                workflows?: string[];
                /** @description Default all */
                statuses?: ("notstarted" | "ready" | "running" | "waiting" | "succeeded" | "failed" | "invalid" | "skipped" | "cancelled" | "timedout")[];
                /** @description Where days begin */
                timezone?: string;
                /** @description How many single runs are listed, the latest first */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Name or id of the team */
                team: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowRunInsight"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    getInstanceInsights: {
        parameters: {
            query?: {
                /** @description Runs made at this time or later; default 30 days before the end, in milliseconds since the epoch */
                fromDate?: number;
                /** @description Runs made before this time; default now, in milliseconds since the epoch */
                toDate?: number;
                /** @description Names or ids of workflows; default all */
                workflows?: string[];
                /** @description Default all */
                statuses?: ("notstarted" | "ready" | "running" | "waiting" | "succeeded" | "failed" | "invalid" | "skipped" | "cancelled" | "timedout")[];
                /** @description Where days begin */
                timezone?: string;
                /** @description How many single runs are listed, the latest first */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowRunInsight"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    queryTaskRuns: {
        parameters: {
            query?: {
                /** @description Items on a page */
                limit?: number;
                /** @description Index of the page, zero-based */
                page?: number;
                /** @description Order of the sort field */
                order?: "ASC" | "DESC";
                /** @description Ids of runs; default all */
                workflowruns?: string[];
                /** @description Default all */
                statuses?: ("notstarted" | "ready" | "running" | "waiting" | "succeeded" | "failed" | "invalid" | "skipped" | "cancelled" | "timedout")[];
                /** @description Default all */
                types?: ("start" | "end" | "template" | "custom" | "generic" | "script" | "decision" | "approval" | "manual" | "eventwait" | "sleep" | "acquirelock" | "releaselock" | "runworkflow" | "runscheduledworkflow" | "setwfproperty" | "setwfstatus")[];
            };
            header?: never;
            path: {
                /** @description Name or id of the team */
                team: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageTaskRun"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    getTaskRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the team */
                team: string;
                /** @description Id of the task run */
                taskRunId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskRun"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    getTaskRunLog: {
        parameters: {
            query?: {
                /** @description Text only: go on until the task run is over */
                follow?: boolean;
                /** @description Text only: begin each line with its time */
                timestamps?: boolean;
                /** @description Number of the first line, from 1; at most one more than there are lines */
                fromLine?: number;
                /** @description Begin at the last so many lines; with 0 only new ones come */
                tail?: number;
                /** @description JSON only: `next` of the page before */
                after?: string;
                /** @description At most so many lines. JSON: on a page, up to 10000, 1000 where it is left out. Text: without it all */
                limit?: number;
                /** @description The credential, for callers that can set a URL only */
                access_token?: string;
            };
            header?: never;
            path: {
                /** @description Id of the task run */
                taskRunId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                    "application/json": components["schemas"]["TaskRunLog"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    searchTaskRunLog: {
        parameters: {
            query?: {
                /** @description Stands in the line */
                text?: string;
                /** @description A pattern of RE2 that fits a part of the line; instead of `text` */
                pattern?: string;
                /** @description Tell upper and lower case apart */
                matchCase?: boolean;
                /** @description Only lines of that step */
                step?: string;
                /** @description Only lines with that `stream`: `system` is what the service says; the other two are of logs whose streams were read apart */
                stream?: "stdout" | "stderr" | "system";
                /** @description Only lines that look like an error by their words */
                errors?: boolean;
                /** @description Number of the line where the search begins */
                fromLine?: number;
                /** @description Ranges in the answer at most */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Id of the task run */
                taskRunId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskRunLogSearch"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    decideActions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the team */
                team: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ActionRequest"][];
            };
        };
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    queryActions: {
        parameters: {
            query?: {
                /** @description Items on a page */
                limit?: number;
                /** @description Index of the page, zero-based */
                page?: number;
                /** @description Default all */
                types?: ("approval" | "manual")[];
                /** @description Default all */
                statuses?: ("approved" | "submitted" | "rejected" | "cancelled")[];
                /** @description Names or ids; default all */
                workflows?: string[];
                /** @description Order of the sort field */
                order?: "ASC" | "DESC";
                /** @description creationDate, deadline, status, type, workflowName, taskName or numberOfApprovers; any other counts as creationDate */
                sort?: string;
                /** @description true: only open actions of which a reminder has come due; false: all others */
                overdue?: boolean;
                /** @description true: only open actions on which the caller may vote and has not yet; false: all */
                mine?: boolean;
                /** @description Made at this time or later, in milliseconds since the epoch */
                fromDate?: number;
                /** @description Made at this time or earlier, in milliseconds since the epoch */
                toDate?: number;
            };
            header?: never;
            path: {
                /** @description Name or id of the team */
                team: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageAction"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    summarizeActions: {
        parameters: {
            query?: {
                /** @description Names or ids; default all */
                workflows?: string[];
                /** @description Made at this time or later, in milliseconds since the epoch */
                fromDate?: number;
                /** @description Made at this time or earlier, in milliseconds since the epoch */
                toDate?: number;
            };
            header?: never;
            path: {
                /** @description Name or id of the team */
                team: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActionSummary"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    getAction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the team */
                team: string;
                /** @description Id of the action */
                actionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Action"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    applySchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Ids of the workflows that led to the request, the first one first, separated by commas: the variable MILLRACE_LINEAGE of a step. A workflow among them is not started, and a chain has at most ten */
                "Millrace-Lineage"?: string;
            };
            path: {
                /** @description Name or id of the team */
                team: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WorkflowSchedule"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowSchedule"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    createSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Ids of the workflows that led to the request, the first one first, separated by commas: the variable MILLRACE_LINEAGE of a step. A workflow among them is not started, and a chain has at most ten */
                "Millrace-Lineage"?: string;
            };
            path: {
                /** @description Name or id of the team */
                team: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WorkflowSchedule"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowSchedule"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    querySchedules: {
        parameters: {
            query?: {
                /** @description Items on a page */
                limit?: number;
                /** @description Index of the page, zero-based */
                page?: number;
                /** @description Default all */
                statuses?: ("active" | "archived" | "inactive" | "trigger_disabled" | "error" | "completed")[];
                /** @description Default all */
                types?: ("cron" | "advancedCron" | "runOnce")[];
                /** @description Names or ids; default all */
                workflows?: string[];
                /** @description Only those with this text in the name, the description or a name of the workflow, whatever the case; of several words each must be there. Empty: all */
                search?: string;
            };
            header?: never;
            path: {
                /** @description Name or id of the team */
                team: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageWorkflowSchedule"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    listScheduleCalendars: {
        parameters: {
            query: {
                /** @description Ids of schedules */
                schedules: string[];
                /** @description Not before this time, and not before now, in milliseconds since the epoch */
                fromDate: number;
                /** @description Not after this time, in milliseconds since the epoch */
                toDate: number;
            };
            header?: never;
            path: {
                /** @description Name or id of the team */
                team: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowScheduleCalendar"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    getSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the team */
                team: string;
                /** @description Id of the schedule */
                scheduleId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowSchedule"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    deleteSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the team */
                team: string;
                /** @description Id of the schedule */
                scheduleId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    queryScheduleFirings: {
        parameters: {
            query?: {
                /** @description Items on a page */
                limit?: number;
                /** @description Index of the page, zero-based */
                page?: number;
                /** @description Times not before this one, in milliseconds since the epoch */
                fromDate?: number;
                /** @description Times not after this one, in milliseconds since the epoch */
                toDate?: number;
            };
            header?: never;
            path: {
                /** @description Name or id of the team */
                team: string;
                /** @description Id of the schedule */
                scheduleId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageScheduleFiring"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    submitSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Ids of the workflows that led to the request, the first one first, separated by commas: the variable MILLRACE_LINEAGE of a step. A workflow among them is not started, and a chain has at most ten */
                "Millrace-Lineage"?: string;
                /** @description The same key with the same request within 24 hours gets the first answer again; with another request a 409 */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Name or id of the team */
                team: string;
                /** @description Id of the schedule */
                scheduleId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowRun"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    backfillSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Ids of the workflows that led to the request, the first one first, separated by commas: the variable MILLRACE_LINEAGE of a step. A workflow among them is not started, and a chain has at most ten */
                "Millrace-Lineage"?: string;
            };
            path: {
                /** @description Name or id of the team */
                team: string;
                /** @description Id of the schedule */
                scheduleId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScheduleBackfillRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduleBackfill"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    validateCron: {
        parameters: {
            query: {
                /** @description The expression, of at most 250 characters */
                cron: string;
                /** @description IANA name of the zone whose clocks count for next */
                timezone?: string;
                /** @description Days of the zone that are left out, as in the `exclusions` of a schedule */
                exclusions?: string[];
            };
            header?: never;
            path: {
                /** @description Name or id of the team */
                team: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CronValidationResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    getCallback: {
        parameters: {
            query: {
                /** @description Id of the run */
                ref: string;
                /** @description What the task waits for */
                topic: string;
                /** @description What becomes of the task, in upper or lower case */
                status?: "succeeded" | "failed";
                /** @description Instead of a credential: part of the address `$(context.params.callback-url.TOPIC)` of a run */
                signature?: string;
                /** @description The credential, for callers that can set a URL only */
                access_token?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    postCallback: {
        parameters: {
            query: {
                /** @description Id of the run */
                ref: string;
                /** @description What the task waits for */
                topic: string;
                /** @description What becomes of the task, in upper or lower case */
                status?: "succeeded" | "failed";
                /** @description Instead of a credential: part of the address `$(context.params.callback-url.TOPIC)` of a run */
                signature?: string;
                /** @description The credential, for callers that can set a URL only */
                access_token?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    receiveEvent: {
        parameters: {
            query?: {
                /** @description Id of the workflow, or its name where only one of your teams has it */
                ref?: string;
                /** @description The credential, for callers that can set a URL only */
                access_token?: string;
            };
            header?: {
                /** @description Ids of the workflows that led to the request, the first one first, separated by commas: the variable MILLRACE_LINEAGE of a step. A workflow among them is not started, and a chain has at most ten */
                "Millrace-Lineage"?: string;
                /** @description The same key with the same request within 24 hours gets the first answer again; with another request a 409 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": unknown;
                "application/cloudevents+json": unknown;
                "application/cloudevents-batch+json": unknown;
                "text/plain": string;
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowRun"] | components["schemas"]["TriggeredRuns"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    receiveWebhook: {
        parameters: {
            query?: {
                /** @description Id of the workflow, or its name where only one of your teams has it */
                ref?: string;
                /** @description The credential, for callers that can set a URL only */
                access_token?: string;
            };
            header?: {
                /** @description Name of the event, as the codehost calls it */
                "X-Codehost-Event"?: string;
                /** @description Id of the app that was installed. Not needed */
                "X-Codehost-Hook-Installation-Target-ID"?: string;
                /** @description A repeated delivery gets the first answer again */
                "X-Codehost-Delivery"?: string;
                /** @description Checked when the instance has a webhook secret; without an event of the codehost it is read as X-Signature-256 */
                "X-Codehost-Signature-256"?: string;
                /** @description Signed with the secret of the workflow; a repeated delivery gets the first answer again */
                "webhook-id"?: string;
                /** @description Unix seconds, at most 300 from now */
                "webhook-timestamp"?: string;
                /** @description v1, and the HMAC-SHA256 of ID.TIMESTAMP.BODY in base64 */
                "webhook-signature"?: string;
                /** @description sha256= and the HMAC-SHA256 of the body in hex */
                "X-Signature-256"?: string;
                /** @description `v0=` and the hex HMAC-SHA256 of `v0:TIMESTAMP:BODY`, keyed by the setting chat.signingSecret */
                "x-chat-signature"?: string;
                /** @description Unix seconds, at most 300 from now */
                "x-chat-request-timestamp"?: string;
                /** @description Ids of the workflows that led to the request, the first one first, separated by commas: the variable MILLRACE_LINEAGE of a step. A workflow among them is not started, and a chain has at most ten */
                "Millrace-Lineage"?: string;
                /** @description The same key with the same request within 24 hours gets the first answer again; with another request a 409 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowRun"] | components["schemas"]["TriggeredRuns"] | components["schemas"]["ChatChallenge"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    queryTeamSubscriptions: {
        parameters: {
            query?: {
                /** @description Items on a page */
                limit?: number;
                /** @description Index of the page, zero-based */
                page?: number;
            };
            header?: never;
            path: {
                /** @description Name or id of the team */
                team: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageSubscription"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    createTeamSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the team */
                team: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubscriptionInput"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    getTeamSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the team */
                team: string;
                /** @description Name or id of the subscription */
                subscription: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    replaceTeamSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the team */
                team: string;
                /** @description Name or id of the subscription */
                subscription: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubscriptionChange"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    deleteTeamSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the team */
                team: string;
                /** @description Name or id of the subscription */
                subscription: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    changeTeamSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the team */
                team: string;
                /** @description Name or id of the subscription */
                subscription: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubscriptionChange"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    rotateTeamSubscriptionSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the team */
                team: string;
                /** @description Name or id of the subscription */
                subscription: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SubscriptionSecret"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    testTeamSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the team */
                team: string;
                /** @description Name or id of the subscription */
                subscription: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    queryTeamDeliveries: {
        parameters: {
            query?: {
                /** @description Items on a page */
                limit?: number;
                /** @description Index of the page, zero-based */
                page?: number;
                /** @description Default all */
                statuses?: ("waiting" | "pending" | "delivered" | "dead")[];
            };
            header?: never;
            path: {
                /** @description Name or id of the team */
                team: string;
                /** @description Name or id of the subscription */
                subscription: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageDelivery"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    replayTeamDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the team */
                team: string;
                /** @description Name or id of the subscription */
                subscription: string;
                /** @description Id of the delivery */
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    replayTeamDeadDeliveries: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the team */
                team: string;
                /** @description Name or id of the subscription */
                subscription: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplayCount"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    querySubscriptions: {
        parameters: {
            query?: {
                /** @description Items on a page */
                limit?: number;
                /** @description Index of the page, zero-based */
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageSubscription"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    createSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubscriptionInput"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    getSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the subscription */
                subscription: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    replaceSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the subscription */
                subscription: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubscriptionChange"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    deleteSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the subscription */
                subscription: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    changeSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the subscription */
                subscription: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubscriptionChange"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    rotateSubscriptionSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the subscription */
                subscription: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SubscriptionSecret"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    testSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the subscription */
                subscription: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    queryDeliveries: {
        parameters: {
            query?: {
                /** @description Items on a page */
                limit?: number;
                /** @description Index of the page, zero-based */
                page?: number;
                /** @description Default all */
                statuses?: ("waiting" | "pending" | "delivered" | "dead")[];
            };
            header?: never;
            path: {
                /** @description Name or id of the subscription */
                subscription: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageDelivery"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    replayDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the subscription */
                subscription: string;
                /** @description Id of the delivery */
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    replayDeadDeliveries: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the subscription */
                subscription: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplayCount"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    listIntegrations: {
        parameters: {
            query: {
                /** @description Name or id of the team */
                team: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Integration"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    getCodehostInstallation: {
        parameters: {
            query?: {
                /** @description The platform's number of the installation */
                id?: number;
                /** @description Name or id of the team */
                team?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodehostInstallation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    linkCodehostInstallation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CodehostLinkRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Integration"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    unlinkCodehostInstallation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CodehostLinkRequest"];
            };
        };
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    beginChatInstall: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Goes on at `Location` */
            302: {
                headers: {
                    location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    finishChatInstall: {
        parameters: {
            query: {
                /** @description From the platform; good once */
                code: string;
                /** @description From the platform, when the installation began with one */
                state?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Goes on at `Location` */
            302: {
                headers: {
                    location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    receiveChatCommand: {
        parameters: {
            query?: {
                /** @description The credential, for callers that can set a URL only */
                access_token?: string;
            };
            header?: {
                /** @description Unix seconds, at most 300 from now */
                "x-chat-request-timestamp"?: string;
                /** @description `v0=` and the hex HMAC-SHA256 of `v0:TIMESTAMP:BODY`, keyed by the setting chat.signingSecret */
                "x-chat-signature"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/x-www-form-urlencoded": string;
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        response_type: "ephemeral";
                        text: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    receiveChatEvent: {
        parameters: {
            query?: {
                /** @description The credential, for callers that can set a URL only */
                access_token?: string;
            };
            header: {
                /** @description Unix seconds, at most 300 from now */
                "x-chat-request-timestamp": string;
                /** @description `v0=` and the hex HMAC-SHA256 of `v0:TIMESTAMP:BODY`, keyed by the setting chat.signingSecret */
                "x-chat-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    type?: unknown;
                    challenge?: unknown;
                    team_id?: unknown;
                    event?: unknown;
                    event_time?: unknown;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        challenge?: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    receiveChatInteraction: {
        parameters: {
            query?: {
                /** @description The credential, for callers that can set a URL only */
                access_token?: string;
            };
            header?: {
                /** @description Unix seconds, at most 300 from now */
                "x-chat-request-timestamp"?: string;
                /** @description `v0=` and the hex HMAC-SHA256 of `v0:TIMESTAMP:BODY`, keyed by the setting chat.signingSecret */
                "x-chat-signature"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/x-www-form-urlencoded": string;
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @example update
                         * @example errors
                         */
                        response_action?: string;
                        /** @description What is wrong, by the block of the dialog */
                        errors?: {
                            [key: string]: string;
                        };
                        /** @description The dialog that takes the place of the one before */
                        view?: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    linkChatWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChatLinkRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Integration"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    unlinkChatWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChatLinkRequest"];
            };
        };
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    listChatWorkspaces: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatWorkspace"][];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    createTeamTask: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the team */
                team: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Task"];
                /**
                 * @example apiVersion: tekton.dev/v1
                 *     kind: Task
                 *     metadata:
                 *       name: greet
                 *     spec:
                 *       params:
                 *         - name: who
                 *           type: string
                 *       steps:
                 *         - name: greet
                 *           script: echo "hello $PARAM_WHO"
                 */
                "application/x-yaml": string;
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
                    /**
                     * @example apiVersion: tekton.dev/v1
                     *     kind: Task
                     *     metadata:
                     *       name: greet
                     *     spec:
                     *       params:
                     *         - name: who
                     *           type: string
                     *       steps:
                     *         - name: greet
                     *           script: echo "hello $PARAM_WHO"
                     */
                    "application/x-yaml": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    getTeamTask: {
        parameters: {
            query?: {
                /** @description The latest when absent */
                version?: number;
            };
            header?: never;
            path: {
                /** @description Name or id of the team */
                team: string;
                /** @description Name or id of the task */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
                    /**
                     * @example apiVersion: tekton.dev/v1
                     *     kind: Task
                     *     metadata:
                     *       name: greet
                     *     spec:
                     *       params:
                     *         - name: who
                     *           type: string
                     *       steps:
                     *         - name: greet
                     *           script: echo "hello $PARAM_WHO"
                     */
                    "application/x-yaml": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    applyTeamTask: {
        parameters: {
            query?: {
                /** @description Replace the latest version instead of making a new one; workflows that use it run the new content from their next run on */
                replace?: boolean;
                /** @description Why, for the changelog; a document has no place for it. Before that of the body */
                reason?: string;
            };
            header?: {
                /** @description ETag of the state that is to be changed; 412 when it has another one now */
                "If-Match"?: string;
            };
            path: {
                /** @description Name or id of the team */
                team: string;
                /** @description Name or id of the task */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Task"];
                /**
                 * @example apiVersion: tekton.dev/v1
                 *     kind: Task
                 *     metadata:
                 *       name: greet
                 *     spec:
                 *       params:
                 *         - name: who
                 *           type: string
                 *       steps:
                 *         - name: greet
                 *           script: echo "hello $PARAM_WHO"
                 */
                "application/x-yaml": string;
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
                    /**
                     * @example apiVersion: tekton.dev/v1
                     *     kind: Task
                     *     metadata:
                     *       name: greet
                     *     spec:
                     *       params:
                     *         - name: who
                     *           type: string
                     *       steps:
                     *         - name: greet
                     *           script: echo "hello $PARAM_WHO"
                     */
                    "application/x-yaml": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    deleteTeamTask: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the state that is to be changed; 412 when it has another one now */
                "If-Match"?: string;
            };
            path: {
                /** @description Name or id of the team */
                team: string;
                /** @description Name or id of the task */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    queryTeamTasks: {
        parameters: {
            query: {
                /** @description Order of the creation date */
                sort?: "ASC" | "DESC";
                /** @description Items on a page */
                limit: number;
                /** @description Index of the page, zero-based */
                page: number;
                /** @description Pairs key=value, each URL-encoded (= becomes %3D), separated by commas; all must match */
                labels?: string[];
                /** @description Default all */
                statuses?: ("active" | "inactive")[];
                /** @description Names or ids; default all */
                names?: string[];
                /** @description Default all */
                types?: ("start" | "end" | "template" | "custom" | "generic" | "script" | "decision" | "approval" | "manual" | "eventwait" | "sleep" | "acquirelock" | "releaselock" | "runworkflow" | "runscheduledworkflow" | "setwfproperty" | "setwfstatus")[];
                /** @description Default all */
                category?: string;
                /** @description Only those with this text in the name, the display name or the description, whatever the case; of several words each must be there. Empty: all */
                search?: string;
                /** @description Names or ids of teams whose tasks are searched instead, as far as the caller may read them */
                teams?: string[];
            };
            header?: never;
            path: {
                /** @description Name or id of the team */
                team: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskResponsePage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    tryTask: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same request within 24 hours gets the first answer again; with another request a 409 */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Name or id of the team */
                team: string;
                /** @description Name or id of the task */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TaskTryRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowRun"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    listTeamTaskChanges: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the team */
                team: string;
                /** @description Name or id of the task */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeLogVersion"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    validateTeamTask: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the team */
                team: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example apiVersion: tekton.dev/v1
                 *     kind: Task
                 *     metadata:
                 *       name: greet
                 *     spec:
                 *       params:
                 *         - name: who
                 *           type: string
                 *       steps:
                 *         - name: greet
                 *           script: echo "hello $PARAM_WHO"
                 */
                "application/x-yaml": string;
            };
        };
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    createGlobalTask: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Task"];
                /**
                 * @example apiVersion: tekton.dev/v1
                 *     kind: Task
                 *     metadata:
                 *       name: greet
                 *     spec:
                 *       params:
                 *         - name: who
                 *           type: string
                 *       steps:
                 *         - name: greet
                 *           script: echo "hello $PARAM_WHO"
                 */
                "application/x-yaml": string;
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
                    /**
                     * @example apiVersion: tekton.dev/v1
                     *     kind: Task
                     *     metadata:
                     *       name: greet
                     *     spec:
                     *       params:
                     *         - name: who
                     *           type: string
                     *       steps:
                     *         - name: greet
                     *           script: echo "hello $PARAM_WHO"
                     */
                    "application/x-yaml": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    getGlobalTask: {
        parameters: {
            query?: {
                /** @description The latest when absent */
                version?: number;
            };
            header?: never;
            path: {
                /** @description Name or id of the task */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
                    /**
                     * @example apiVersion: tekton.dev/v1
                     *     kind: Task
                     *     metadata:
                     *       name: greet
                     *     spec:
                     *       params:
                     *         - name: who
                     *           type: string
                     *       steps:
                     *         - name: greet
                     *           script: echo "hello $PARAM_WHO"
                     */
                    "application/x-yaml": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    applyGlobalTask: {
        parameters: {
            query?: {
                /** @description Replace the latest version instead of making a new one; workflows that use it run the new content from their next run on */
                replace?: boolean;
                /** @description Why, for the changelog; a document has no place for it. Before that of the body */
                reason?: string;
            };
            header?: {
                /** @description ETag of the state that is to be changed; 412 when it has another one now */
                "If-Match"?: string;
            };
            path: {
                /** @description Name or id of the task */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Task"];
                /**
                 * @example apiVersion: tekton.dev/v1
                 *     kind: Task
                 *     metadata:
                 *       name: greet
                 *     spec:
                 *       params:
                 *         - name: who
                 *           type: string
                 *       steps:
                 *         - name: greet
                 *           script: echo "hello $PARAM_WHO"
                 */
                "application/x-yaml": string;
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
                    /**
                     * @example apiVersion: tekton.dev/v1
                     *     kind: Task
                     *     metadata:
                     *       name: greet
                     *     spec:
                     *       params:
                     *         - name: who
                     *           type: string
                     *       steps:
                     *         - name: greet
                     *           script: echo "hello $PARAM_WHO"
                     */
                    "application/x-yaml": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    queryGlobalTasks: {
        parameters: {
            query: {
                /** @description Order of the creation date */
                sort?: "ASC" | "DESC";
                /** @description Items on a page */
                limit: number;
                /** @description Index of the page, zero-based */
                page: number;
                /** @description Pairs key=value, each URL-encoded (= becomes %3D), separated by commas; all must match */
                labels?: string[];
                /** @description Default all */
                statuses?: ("active" | "inactive")[];
                /** @description Names or ids; default all */
                names?: string[];
                /** @description Default all */
                types?: ("start" | "end" | "template" | "custom" | "generic" | "script" | "decision" | "approval" | "manual" | "eventwait" | "sleep" | "acquirelock" | "releaselock" | "runworkflow" | "runscheduledworkflow" | "setwfproperty" | "setwfstatus")[];
                /** @description Default all */
                category?: string;
                /** @description Only those with this text in the name, the display name or the description, whatever the case; of several words each must be there. Empty: all */
                search?: string;
                /** @description Names or ids of teams whose tasks are searched instead, as far as the caller may read them */
                teams?: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskResponsePage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    listGlobalTaskChanges: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the task */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeLogVersion"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    validateGlobalTask: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example apiVersion: tekton.dev/v1
                 *     kind: Task
                 *     metadata:
                 *       name: greet
                 *     spec:
                 *       params:
                 *         - name: who
                 *           type: string
                 *       steps:
                 *         - name: greet
                 *           script: echo "hello $PARAM_WHO"
                 */
                "application/x-yaml": string;
            };
        };
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    applyWorkflowTemplate: {
        parameters: {
            query?: {
                /** @description Replace the latest version instead of making a new one */
                replace?: boolean;
            };
            header?: {
                /** @description ETag of the state that is to be changed; 412 when it has another one now */
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WorkflowTemplate"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowTemplate"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    createWorkflowTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WorkflowTemplate"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowTemplate"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    queryWorkflowTemplates: {
        parameters: {
            query: {
                /** @description Order of the creation date */
                sort?: "ASC" | "DESC";
                /** @description Items on a page */
                limit: number;
                /** @description Index of the page, zero-based */
                page: number;
                /** @description Pairs key=value, each URL-encoded (= becomes %3D), separated by commas; all must match */
                labels?: string[];
                /** @description Names or ids; default all */
                names?: string[];
                /** @description Only those with this text in the name, the display name or the description, whatever the case; of several words each must be there. Empty: all */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowTemplateResponsePage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    getWorkflowTemplate: {
        parameters: {
            query?: {
                /** @description The latest when absent */
                version?: number;
                /** @description False leaves the tasks out */
                withTasks?: boolean;
            };
            header?: never;
            path: {
                /** @description Name or id of the template */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowTemplate"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    deleteWorkflowTemplate: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the state that is to be changed; 412 when it has another one now */
                "If-Match"?: string;
            };
            path: {
                /** @description Name or id of the template */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    listWorkflowTemplateChanges: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the template */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeLogVersion"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    queryTeamAudit: {
        parameters: {
            query: {
                /** @description Items on a page */
                limit: number;
                /** @description Index of the page, zero-based */
                page: number;
                /** @description Order of the sort field */
                order?: "ASC" | "DESC";
                /** @description Who: user:ID or token:ID, ids, addresses or names of users, names of tokens; default everybody */
                actors?: string[];
                /** @description Kinds of objects, for example workflow, task, team, token; default all */
                kinds?: string[];
                /** @description Ids or names of objects; runs by their id only */
                objects?: string[];
                /** @description resource/action, for example workflow/write; default all */
                actions?: string[];
                /** @description What x-request-id said */
                requestId?: string;
                /** @description Recorded at this time or later, in milliseconds since the epoch */
                fromDate?: number;
                /** @description Recorded before this time, in milliseconds since the epoch */
                toDate?: number;
            };
            header?: never;
            path: {
                /** @description Name or id of the team */
                team: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageAuditEntry"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    getTeamAuditEntry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the team */
                team: string;
                /** @description Id of the audit record */
                auditId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditEntry"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    queryAudit: {
        parameters: {
            query: {
                /** @description Items on a page */
                limit: number;
                /** @description Index of the page, zero-based */
                page: number;
                /** @description Order of the sort field */
                order?: "ASC" | "DESC";
                /** @description Who: user:ID or token:ID, ids, addresses or names of users, names of tokens; default everybody */
                actors?: string[];
                /** @description Kinds of objects, for example workflow, task, team, token; default all */
                kinds?: string[];
                /** @description Ids or names of objects; runs by their id only */
                objects?: string[];
                /** @description resource/action, for example workflow/write; default all */
                actions?: string[];
                /** @description What x-request-id said */
                requestId?: string;
                /** @description Recorded at this time or later, in milliseconds since the epoch */
                fromDate?: number;
                /** @description Recorded before this time, in milliseconds since the epoch */
                toDate?: number;
                /** @description Names or ids of teams; default everything */
                teams?: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageAuditEntry"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    queryFailedSignIns: {
        parameters: {
            query: {
                /** @description Items on a page */
                limit: number;
                /** @description Index of the page, zero-based */
                page: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageFailedSignIn"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    getAuditEntry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the audit record */
                auditId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditEntry"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    activateInstance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["OneTimeCode"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": boolean;
                };
            };
            400: components["responses"]["BadRequest"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    listSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Setting"][];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    changeSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SettingInput"][];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Setting"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    listWorkers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workers"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    getHistory: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["History"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    getFeatures: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Features"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    getContext: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HeaderNavigationResponse"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    listNavigation: {
        parameters: {
            query?: {
                /** @description Name or id of the team that is looked at */
                team?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Navigation"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    getOverview: {
        parameters: {
            query?: {
                /** @description How many actions, and how many runs */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Overview"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    searchEverything: {
        parameters: {
            query?: {
                /** @description What is looked for, whatever the case */
                q?: string;
                /** @description Default all */
                kinds?: ("team" | "workflow" | "task" | "template")[];
                /** @description At most so many of each kind */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    watchChanges: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of the last event that was received */
                "last-event-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    listGlobalParameters: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AbstractParam"][];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    replaceGlobalParameter: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AbstractParam"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AbstractParam"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    createGlobalParameter: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AbstractParam"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AbstractParam"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    deleteGlobalParameter: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the parameter */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description `up`, or `degraded` where the database takes no changes, or none of its executors is available: tasks wait
                         * @example up
                         */
                        status: string;
                        /**
                         * @description `up`, `full` while its disk is full, or `away` while it does not answer
                         * @example up
                         */
                        database: string;
                        /** @description None where the process runs no tasks */
                        executors: {
                            /**
                             * @example process
                             * @example container
                             * @example kubernetes
                             */
                            kind: string;
                            available: boolean;
                            /** @description What holds the steps */
                            isolation: string;
                            /** @description More about that, or why it is not available */
                            detail?: string;
                        }[];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    getReady: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @example ready */
                        status: string;
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            423: components["responses"]["Locked"];
            default: components["responses"]["Error"];
        };
    };
    getApiDocument: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
    getApiPage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Error"];
        };
    };
}
