import { Alert, Box, Center, Paper, Stack, Text, Title } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import icon from '../../../icon.svg'

interface SignedOutPageProps {
  readonly title: string
  readonly text?: string | undefined
  readonly children: ReactNode
}

/** The layout of pages for visitors who are not signed in: one centred card. */
export function SignedOutPage({ title, text, children }: SignedOutPageProps) {
  const { t } = useTranslation()
  useEffect(() => {
    document.title = title
  }, [title])
  return (
    <Center component="main" mih="100dvh" p="md">
      <Box w="100%" maw={400}>
        <Paper p="xl" shadow="sm">
          <Stack gap="md">
            <Stack gap={4} align="center" ta="center">
              <img src={icon} alt="" width={40} height={40} />
              <Title order={1} mt="xs">
                {title}
              </Title>
              {text && (
                <Text c="dimmed" size="sm">
                  {text}
                </Text>
              )}
            </Stack>
            {!isSecureContext && (
              <Alert color="yellow" icon={<IconLock />} title={t('signIn.httpsTitle')}>
                {t('signIn.httpsText')}
              </Alert>
            )}
            {children}
          </Stack>
        </Paper>
      </Box>
    </Center>
  )
}
