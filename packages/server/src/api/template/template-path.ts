import Type from "typebox";

export const templatePath = Type.Object({
  name: Type.String({ description: "Name or id of the template", examples: ["check-a-website"] }),
});
