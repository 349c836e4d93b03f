import type { SettingGroup } from "./definition.ts";

export const invitationSettings: SettingGroup = {
  key: "invitations",
  name: "Invitations",
  description: "Who can invite people to this instance",
  settings: [
    {
      key: "by",
      type: "select",
      options: [
        { key: "owners", value: "Owners of teams and administrators" },
        { key: "administrators", value: "Administrators only" },
      ],
      default: "owners",
      label: "Who can invite people",
      description:
        "With `owners`, an owner of a team can invite anyone to that team; `MILLRACE_OIDC_DOMAINS` limits to which domains. " +
        "With `administrators`, owners can only add people who have an account, by their user ID.",
    },
  ],
};
