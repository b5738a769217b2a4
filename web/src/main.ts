// One program for all pages: a report of results, or a study of many runs.
import {readBlocks, type Result} from './data';
import {buildReport} from './report_page';
import {isStudy} from './study_data';
import {buildStudy} from './study_page';

const [first, ...others] = readBlocks();
if (isStudy(first)) buildStudy(first, others as Result[]);
else buildReport([first, ...others] as Result[]);
