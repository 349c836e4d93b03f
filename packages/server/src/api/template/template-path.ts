import Type from "typebox";

export const templatePath = Type.Object({
  name: Type.String({ description: "Name or ID of the template", examples: ["check-a-website"] }),
});
