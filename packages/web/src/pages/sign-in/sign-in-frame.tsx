import { Anchor, Group, Stack, Text, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import type { ReactNode } from "react";
import { chooseLanguage, type Language, language, languages } from "../../texts/language.ts";
import classes from "./sign-in.module.css";

interface SignInFrameProps {
  title: string;
  /** A subdued line below the title. */
  detail?: ReactNode;
  children: ReactNode;
  /** Shown below the panel: other ways to sign in. */
  foot?: ReactNode;
}

/** The frame of pages for users who aren't signed in: the product's logo, a title, one column. */
export function SignInFrame({ title, detail, children, foot }: SignInFrameProps) {
  useDocumentTitle(`${title} · Millrace`);
  return (
    <main className={classes.page}>
      <Stack gap="md" className={classes.column}>
        <Stack gap={4} align="center" ta="center">
          <img src="/icon.svg" alt="" width={40} height={40} />
          <Title order={1} mt="xs">
            {title}
          </Title>
          {detail && (
            <Text size="sm" className="quiet">
              {detail}
            </Text>
          )}
        </Stack>
        <div className={classes.panel}>{children}</div>
        {foot && (
          <Text component="div" size="sm" ta="center" className="quiet">
            {foot}
          </Text>
        )}
        <OtherLanguages />
      </Stack>
    </main>
  );
}

/** The language selection: before the sign-in there is no profile to select it in. */
function OtherLanguages() {
  const others = (Object.keys(languages) as Language[]).filter((each) => each !== language);
  return (
    <Group gap="xs" justify="center">
      {others.map((each) => (
        <Anchor key={each} component="button" type="button" size="sm" lang={each} onClick={() => chooseLanguage(each)}>
          {languages[each]}
        </Anchor>
      ))}
    </Group>
  );
}
