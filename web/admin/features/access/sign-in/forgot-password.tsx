import { Anchor, Code, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { PanelLink } from '../../../components/panel-link.tsx'
import { SignedOutPage } from './signed-out-page.tsx'

/** Explains that an administrator creates a password link; the service sends no mail. */
export default function ForgotPassword() {
  const { t } = useTranslation()
  return (
    <SignedOutPage title={t('forgot.title')}>
      <Text size="sm">{t('forgot.text')}</Text>
      <Code block>daybook user link --email …</Code>
      <Anchor component={PanelLink} to="/sign-in" size="sm" ta="center">
        {t('forgot.toSignIn')}
      </Anchor>
    </SignedOutPage>
  )
}
