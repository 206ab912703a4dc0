import { offerToCopy } from '../../browser/copy-samples.ts';
import { fillInOrigin } from '../../browser/origin.ts';
import { tabSamples } from '../../browser/sample-tabs.ts';

fillInOrigin();
tabSamples();
offerToCopy();
